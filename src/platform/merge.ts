import type { JsonObject } from '../contract/wire.js';

/** A document with changes by top-level key: what is undefined stays, what is null is taken away. */
export function merged(document: JsonObject, changes: JsonObject): JsonObject {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined);
  return given({ ...document, ...Object.fromEntries(sent) });
}

/** What of a document is there. */
export function given(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value != null));
}
