import { hash } from 'node:crypto';

/** Returns a checksum of the query and the chart of an answer. It does not depend on the text or the rows. */
export function answerChecksum({ query, vegaSpec }: { readonly query: unknown; readonly vegaSpec?: unknown }): string {
  return hash('sha256', JSON.stringify([query, vegaSpec ?? null])).slice(0, 32);
}
