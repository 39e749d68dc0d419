import { asc, desc, type SQL, sql } from 'drizzle-orm';
import { PgColumn } from 'drizzle-orm/pg-core';
import type { PageInfo } from '../../contract/wire.js';
import { PlatformError } from '../errors.js';

/** Database type of a sort key, which determines its format in a cursor. */
export type KeyKind = 'bigint' | 'integer' | 'moment' | 'text' | 'uuid';

/** Value of a sort key in a cursor. */
type KeyValue = string | number | Date;

const maxInteger = 2_147_483_647;

const validators: Readonly<Record<KeyKind, (value: string) => boolean>> = {
  bigint: value => /^-?\d{1,15}$/.test(value),
  integer: value => /^-?\d{1,10}$/.test(value) && Math.abs(Number(value)) <= maxInteger,
  moment: isMoment,
  text: value => value.length <= 10_000,
  uuid: value => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
};

/**
 * Whether a string is a date that Postgres accepts. Postgres rejects some strings that JavaScript accepts, such as
 * February 30 or the year 0.
 */
function isMoment(value: string): boolean {
  const date = new Date(/^(?!0000)\d{4}-/.test(value) ? value : '');
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

/**
 * Encodes the key values of one item as a cursor.
 * @param name - identifies the list and its order; cursors with another name are rejected.
 */
export function writeCursor(name: string, values: readonly KeyValue[]): string {
  const texts = values.map(value => (value instanceof Date ? value.toISOString() : String(value)));
  return Buffer.from(JSON.stringify([name, ...texts])).toString('base64url');
}

/** Decodes the values of a cursor of this list and validates them for their keys; `null` for any other text. */
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
  return values.every((value, index) => validators[kinds[index] ?? 'text'](value)) ? values : null;
}

/** Returns the error for a value that is not a cursor of the list in the requested order. */
export function foreignCursor(): PlatformError {
  return new PlatformError(400, 'query.after: is not a valid cursor of this list and sort order');
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(part => typeof part === 'string' && !part.includes('\0'));
}

/**
 * Maximum and default number of items per page. High, so that clients that ignore `pageInfo` do not miss items of a
 * short list.
 */
const maxPageSize = 1000;

/** Size of the JSON, in bytes, after which a page of large items ends. */
const maxPageBytes = 8 * 1024 * 1024;

/** Returns the number of items per page. */
export function pageSize({ first = maxPageSize }: PageRequest): number {
  return Math.min(first, maxPageSize);
}

/** The part of a list that a caller requests. */
export interface PageRequest {
  readonly first?: number | undefined;
  readonly after?: string | undefined;
}

/** One page of a list in the order of its keys. */
export interface KeysetPage<T> {
  readonly items: T[];
  readonly pageInfo: PageInfo;
}

/** A sort key: a column, or an expression of type text. */
type Key = PgColumn | SQL<string>;

/**
 * Keyset pagination over non-null columns, the last of which is unique. All have the same direction, so that an index
 * can be used. A cursor contains the values of the keys, so that pages remain stable while rows are inserted (spec
 * 4.5).
 * @typeParam Row - contains the values of the keys under their names.
 */
export class Keyset<Row extends Readonly<Record<string, unknown>>> {
  readonly #name: string;
  readonly #keys: Readonly<Record<string, Key>>;
  readonly #direction: 'asc' | 'desc';

  /**
   * @param name - identifies the list and its order; cursors with another name are rejected.
   * @param keys - columns by their names in the rows; the last one is unique.
   */
  constructor(name: string, keys: { readonly [K in keyof Row & string]?: Key }, direction: 'asc' | 'desc') {
    this.#name = name;
    this.#keys = keys as Readonly<Record<string, Key>>;
    this.#direction = direction;
  }

  /** The expressions for ORDER BY. */
  get orderBy(): SQL[] {
    return Object.values(this.#keys).map(column => (this.#direction === 'asc' ? asc(column) : desc(column)));
  }

  /**
   * Returns the condition for WHERE, which selects the rows after the cursor; `undefined` for the first page.
   * @throws PlatformError 400 if the text is not a cursor of this list and sort order.
   */
  after({ after }: PageRequest): SQL | undefined {
    if (after === undefined) return undefined;
    const columns = Object.values(this.#keys);
    const values = this.#read(after).map((value, index) => sql`${value}::text::${sql.raw(typeOf(columns[index]))}`);
    const compare = this.#direction === 'asc' ? sql`>` : sql`<`;
    return sql`(${sql.join(columns, sql`, `)}) ${compare} (${sql.join(values, sql`, `)})`;
  }

  /** Returns the number for LIMIT: one row more than the page contains, to detect whether there is another page. */
  limit(request: PageRequest): number {
    return pageSize(request) + 1;
  }

  /** Builds the page from the rows of the query. */
  page(rows: readonly Row[], request: PageRequest): KeysetPage<Row> {
    return this.#page(rows, pageSize(request), request);
  }

  /** Like `page`, for rows that may be large: ends the page early, after at least one row, to limit memory. */
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

/** Returns the number of rows that fit into a page by their size; at least one. */
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

/** Returns the pattern of LIKE or ILIKE for values that contain the text literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
