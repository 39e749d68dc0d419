import { PlatformError } from '../errors.js';

/** What a key of a list is in the database, as far as its text in a cursor is concerned. */
export type KeyKind = 'bigint' | 'integer' | 'moment' | 'text' | 'uuid';

/** A key's value as a cursor tells it. */
export type KeyValue = string | number | Date;

const maxInteger = 2_147_483_647;

const fitting: Readonly<Record<KeyKind, (value: string) => boolean>> = {
  bigint: value => /^-?\d{1,15}$/.test(value),
  integer: value => /^-?\d{1,10}$/.test(value) && Math.abs(Number(value)) <= maxInteger,
  moment: isMoment,
  text: value => value.length <= 10_000,
  uuid: value => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
};

/** Not every text that JavaScript reads as a date is one to Postgres, such as the 30th of February or the year 0. */
function isMoment(value: string): boolean {
  const date = new Date(/^(?!0000)\d{4}-/.test(value) ? value : '');
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

/**
 * A cursor that holds the values of a list's keys at one item.
 * @param name - of list and order: a cursor of another one is refused.
 */
export function writeCursor(name: string, values: readonly KeyValue[]): string {
  const texts = values.map(value => (value instanceof Date ? value.toISOString() : String(value)));
  return Buffer.from(JSON.stringify([name, ...texts])).toString('base64url');
}

/** The values in a cursor of this list, each fit for its key; null for every other text. */
export function readCursor(name: string, kinds: readonly KeyKind[], cursor: string): string[] | null {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
  if (!isTexts(read)) return null;
  const [named, ...values] = read;
  if (named !== name || values.length !== kinds.length) return null;
  return values.every((value, index) => fitting[kinds[index] ?? 'text'](value)) ? values : null;
}

/** The answer to a text that is no cursor of the list in the order that is asked for. */
export function foreignCursor(): PlatformError {
  return new PlatformError(400, 'query.after: is not a cursor of this list in this order');
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(part => typeof part === 'string' && !part.includes('\0'));
}
