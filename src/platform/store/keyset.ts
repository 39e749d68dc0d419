import { asc, desc, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { PageInfo } from '../../contract/wire.js';
import { PlatformError } from '../errors.js';

/** What a page holds where the caller names no size, and the most that it holds. */
const defaultPageSize = 100;
const maxPageSize = 1000;

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

/**
 * The order of a list, by columns of which the last is unique, all in one direction, so that an index serves it; none of them may be
 * null. A cursor holds the values of the keys, so that pages stay what they are while others insert (spec 4.5).
 * @typeParam Row - has the values of the keys under their names.
 */
export class Keyset<Row extends Readonly<Record<string, unknown>>> {
  readonly #name: string;
  readonly #keys: Readonly<Record<string, PgColumn>>;
  readonly #direction: 'asc' | 'desc';

  /**
   * @param name - of list and order: a cursor of another one is refused.
   * @param keys - columns under the names that the rows have them by, the unique one last.
   */
  constructor(name: string, keys: { readonly [K in keyof Row & string]?: PgColumn }, direction: 'asc' | 'desc') {
    this.#name = name;
    this.#keys = keys as Readonly<Record<string, PgColumn>>;
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
    const values = this.#read(after).map(
      (value, index) => sql`${value}::text::${sql.raw(columns[index]?.getSQLType() ?? 'text')}`,
    );
    const compare = this.#direction === 'asc' ? sql`>` : sql`<`;
    return sql`(${sql.join(columns, sql`, `)}) ${compare} (${sql.join(values, sql`, `)})`;
  }

  /** For LIMIT: one row more than the page holds tells whether there is another. */
  limit({ first = defaultPageSize }: PageRequest): number {
    return Math.min(first, maxPageSize) + 1;
  }

  /** The page that `limit` rows make. */
  page(rows: readonly Row[], request: PageRequest): KeysetPage<Row> {
    const items = rows.slice(0, this.limit(request) - 1);
    const [first] = items;
    const last = items.at(-1);
    const hasNextPage = rows.length > items.length;
    const pageInfo = { hasNextPage, hasPreviousPage: request.after !== undefined };
    if (!first || !last) return { items, pageInfo };
    return { items, pageInfo: { ...pageInfo, startCursor: this.#write(first), endCursor: this.#write(last) } };
  }

  #write(row: Row): string {
    const values = Object.keys(this.#keys).map(key => {
      const value = row[key];
      return value instanceof Date ? value.toISOString() : String(value);
    });
    return Buffer.from(JSON.stringify([this.#name, ...values])).toString('base64url');
  }

  #read(cursor: string): string[] {
    const foreign = new PlatformError(400, 'query.after: is not a cursor of this list in this order');
    let read: unknown;
    try {
      read = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    } catch {
      throw foreign;
    }
    if (!isTexts(read)) throw foreign;
    const [name, ...values] = read;
    const columns = Object.values(this.#keys);
    if (name !== this.#name || values.length !== columns.length) throw foreign;
    if (!values.every((value, index) => fits(columns[index], value))) throw foreign;
    return values;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(part => typeof part === 'string' && !part.includes('\0'));
}

/** True for the text of a value that the column may hold. */
function fits(column: PgColumn | undefined, value: string): boolean {
  if (column?.dataType === 'number') return /^-?\d{1,15}$/.test(value);
  if (column?.dataType === 'date')
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value));
  return value.length <= 10_000;
}
