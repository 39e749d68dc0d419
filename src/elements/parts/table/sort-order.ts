import type { Table } from '../../../report/table/table.js';
import { sortTable, type TableSort } from '../../../report/table/table-sort.js';

/** Maximum number of columns to sort by. */
const maxSorts = 3;

/** The viewer's sort order. Columns are stored by key, so that new rows are sorted in the same order. */
export class SortOrder {
  #chosen: readonly { readonly key: string; readonly descending: boolean }[] = [];
  #given: Table | null = null;
  #keys: readonly string[] = [];
  #locale = 'en';
  #sorted: Table | null = null;

  /** The current sort columns, in order of priority. */
  get sorts(): readonly TableSort[] {
    return this.#chosen.flatMap(({ key, descending }) => {
      const column = this.#keys.indexOf(key);
      return column < 0 ? [] : [{ column, descending }];
    });
  }

  /** The sorted table; `null` before rows are set. */
  get table(): Table | null {
    // The sort is stable: sorting by the last column first yields an order by all columns.
    this.#sorted ??=
      this.#given && this.sorts.reduceRight((table, sort) => sortTable(table, sort, this.#locale), this.#given);
    return this.#sorted;
  }

  /** Sets new rows; `keys` are the keys of their columns. */
  take(given: Table, keys: readonly string[], locale: string): void {
    this.#given = given;
    this.#keys = keys;
    this.#locale = locale;
    this.#sorted = null;
  }

  /** Cycles a column through ascending, descending and unsorted. `extend` preserves the sort columns before it. */
  cycle(column: number, { extend }: { readonly extend: boolean }): void {
    const key = this.#keys[column];
    if (key === undefined) return;
    const before = this.#chosen.find(sort => sort.key === key);
    const next = before?.descending ? [] : [{ key, descending: before !== undefined }];
    const others = extend ? this.#chosen.filter(sort => sort.key !== key) : [];
    const place = extend && before ? this.#chosen.indexOf(before) : others.length;
    this.#chosen = [...others.slice(0, place), ...next, ...others.slice(place)].slice(0, maxSorts);
    this.#sorted = null;
  }

  /** Restores the order of the report. */
  clear(): void {
    this.#chosen = [];
    this.#sorted = null;
  }
}
