import { hash } from 'node:crypto';

/** The parts of a result that define an answer. */
interface AnswerParts {
  readonly query?: unknown;
  readonly vegaSpec?: unknown;
  readonly computed?: unknown;
}

/** Returns the checksum of an answer. The text and the rows of the answer do not affect it. */
export function answerChecksum({ query, vegaSpec, computed }: AnswerParts): string {
  const parts = [query, vegaSpec ?? null, ...(computed === undefined ? [] : [computed])];
  return hash('sha256', JSON.stringify(parts)).slice(0, 32);
}
