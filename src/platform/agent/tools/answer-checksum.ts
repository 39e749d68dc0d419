import { hash } from 'node:crypto';

/**
 * Returns the checksum of the query and the chart of an answer. The text and the rows of the answer do not affect it.
 */
export function answerChecksum({ query, vegaSpec }: { readonly query?: unknown; readonly vegaSpec?: unknown }): string {
  return hash('sha256', JSON.stringify([query, vegaSpec ?? null])).slice(0, 32);
}
