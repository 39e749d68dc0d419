import { isDeepStrictEqual } from 'node:util';

/** Description of a field that changes, for terminal output. */
export type Difference = string;

/** Limits of the comparison: differences reported per field, and nesting depth. */
const maxReported = 5;
const maxDepth = 6;
/** Longer JSON is summarized. */
const maxTextLength = 60;

/** Returns the differences between the current and the desired value of a field, each with its path. */
export function differencesOf(field: string, before: unknown, after: unknown): Difference[] {
  const found = [...differing(field, before, after, 0)];
  const more = found.length - maxReported;
  return more > 0 ? [...found.slice(0, maxReported), `${more} more in ${field}`] : found;
}

function* differing(place: string, before: unknown, after: unknown, depth: number): Generator<Difference> {
  if (isDeepStrictEqual(before, after)) return;
  if (before === undefined || before === null) return yield `${place}: ${summarizeValue(after)}`;
  if (after === undefined) return yield `${place}: removed`;
  if (depth < maxDepth && isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const key of keys) yield* differing(`${place}.${key}`, own(before, key), own(after, key), depth + 1);
    return;
  }
  yield `${place}: ${summarizeValue(before)} -> ${summarizeValue(after)}`;
}

function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Object(value)[key] : undefined;
}

/** Returns a short value as JSON, and a long value as a summary. */
function summarizeValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  if (text.length <= maxTextLength) return text;
  if (Array.isArray(value)) return `a list of ${value.length} items`;
  return typeof value === 'string' ? `a string of ${value.length} characters` : 'an object';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
