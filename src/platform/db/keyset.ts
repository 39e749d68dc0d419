import { asc, desc, type SQL, sql } from 'drizzle-orm';
import { PgColumn } from 'drizzle-orm/pg-core';
import type { PageInfo } from '../../contract/wire.js';
import { PlatformError } from '../errors.js';

/** What a key of a list is in the database, as far as its text in a cursor is concerned. */
export type KeyKind = 'bigint' | 'integer' | 'moment' | 'text' | 'uuid';

/** A key's value as a cursor tells it. */
type KeyValue = string | number | Date;

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

/** Maximum items of a page. Also the default: callers that read no `pageInfo` must not lose items of a short list. */
const maxPageSize = 1000;

/** Bytes of JSON after which a page of what may be large ends. */
const maxPageBytes = 8 * 1024 * 1024;

/** How many items a page holds. */
export function pageSize({ first = maxPageSize }: PageRequest): number {
  return Math.min(first, maxPageSize);
}

/** Which part of a list a caller wants. */
export interface PageRequest {
  readonly first?: number | undefined;
  readonly after?: string | undefined;
}

/** One page of a list in the order of its keys. */
export interface KeysetPage<T> {
  readonly items: T[];
  readonly pageInfo: PageInfo;
}

/** What a list is ordered by: a column, or an expression that is text. */
type Key = PgColumn | SQL<string>;

/**
 * The order of a list, by columns of which the last is unique, all in one direction, so that an index serves it; none of them may be
 * null. A cursor holds the values of the keys, so that pages stay what they are while others insert (spec 4.5).
 * @typeParam Row - has the values of the keys under their names.
 */
export class Keyset<Row extends Readonly<Record<string, unknown>>> {
  readonly #name: string;
  readonly #keys: Readonly<Record<string, Key>>;
  readonly #direction: 'asc' | 'desc';

  /**
   * @param name - of list and order: a cursor of another one is refused.
   * @param keys - columns under the names that the rows have them by, the unique one last.
   */
  constructor(name: string, keys: { readonly [K in keyof Row & string]?: Key }, direction: 'asc' | 'desc') {
    this.#name = name;
    this.#keys = keys as Readonly<Record<string, Key>>;
    this.#direction = direction;
  }

  /** For ORDER BY. */
  get orderBy(): SQL[] {
    return Object.values(this.#keys).map(column => (this.#direction === 'asc' ? asc(column) : desc(column)));
  }

  /**
   * For WHERE: what comes after the cursor; undefined for the first page.
   * @throws PlatformError 400 of a text that is no cursor of this list in this order.
   */
  after({ after }: PageRequest): SQL | undefined {
    if (after === undefined) return undefined;
    const columns = Object.values(this.#keys);
    const values = this.#read(after).map((value, index) => sql`${value}::text::${sql.raw(typeOf(columns[index]))}`);
    const compare = this.#direction === 'asc' ? sql`>` : sql`<`;
    return sql`(${sql.join(columns, sql`, `)}) ${compare} (${sql.join(values, sql`, `)})`;
  }

  /** For LIMIT: one row more than the page holds tells whether there is another. */
  limit(request: PageRequest): number {
    return pageSize(request) + 1;
  }

  /** The page that `limit` rows make. */
  page(rows: readonly Row[], request: PageRequest): KeysetPage<Row> {
    return this.#page(rows, pageSize(request), request);
  }

  /** As `page`, for rows that may be large: it ends early, with one row at least, so that its answer doesn't fill the memory. */
  pageWithinBytes(rows: readonly Row[], request: PageRequest): KeysetPage<Row> {
    return this.#page(rows, Math.min(pageSize(request), countWithinBytes(rows)), request);
  }

  #page(rows: readonly Row[], size: number, request: PageRequest): KeysetPage<Row> {
    const items = rows.slice(0, size);
    const [first] = items;
    const last = items.at(-1);
    const hasNextPage = rows.length > items.length;
    const pageInfo = { hasNextPage, hasPreviousPage: request.after !== undefined };
    if (!first || !last) return { items, pageInfo };
    return { items, pageInfo: { ...pageInfo, startCursor: this.#write(first), endCursor: this.#write(last) } };
  }

  #write(row: Row): string {
    return writeCursor(
      this.#name,
      Object.keys(this.#keys).map(key => {
        const value = row[key];
        return value instanceof Date ? value : String(value);
      }),
    );
  }

  #read(cursor: string): string[] {
    const values = readCursor(this.#name, Object.values(this.#keys).map(kindOf), cursor);
    if (values === null) throw foreignCursor();
    return values;
  }
}

/** How many of the first rows a page takes by their size: one at least. */
function countWithinBytes(rows: readonly unknown[]): number {
  let bytes = 0;
  const end = rows.findIndex(row => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return bytes > maxPageBytes;
  });
  return end === -1 ? rows.length : Math.max(end, 1);
}

function typeOf(key: Key | undefined): string {
  return key instanceof PgColumn ? key.getSQLType() : 'text';
}

function kindOf(column: Key): KeyKind {
  if (!(column instanceof PgColumn)) return 'text';
  if (column.dataType === 'date') return 'moment';
  if (column.dataType !== 'number') return column.getSQLType() === 'uuid' ? 'uuid' : 'text';
  return column.getSQLType() === 'integer' ? 'integer' : 'bigint';
}

/** The pattern of LIKE or ILIKE for texts that hold a text, whatever is in it. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
