import type { Table } from '../../../report/table/table.js';
import { sortTable, type TableSort } from '../../../report/table/table-sort.js';

/** Most columns that a table is sorted by. */
const mostSorts = 3;

/** By what a viewer sorts a table: kept by the names of its columns, so that new rows are sorted as the old ones were. */
export class SortOrder {
  #chosen: readonly { readonly key: string; readonly descending: boolean }[] = [];
  #given: Table | null = null;
  #keys: readonly string[] = [];
  #locale = 'en';
  #sorted: Table | null = null;

  /** The columns in force, the first one foremost. */
  get sorts(): readonly TableSort[] {
    return this.#chosen.flatMap(({ key, descending }) => {
      const column = this.#keys.indexOf(key);
      return column < 0 ? [] : [{ column, descending }];
    });
  }

  /** The rows in that order; null before there are any. */
  get table(): Table | null {
    // Equal rows stay as they were: sorted by the last column first, they end up sorted by all.
    this.#sorted ??=
      this.#given && this.sorts.reduceRight((table, sort) => sortTable(table, sort, this.#locale), this.#given);
    return this.#sorted;
  }

  /** Other rows, their columns by name. */
  take(given: Table, keys: readonly string[], locale: string): void {
    this.#given = given;
    this.#keys = keys;
    this.#locale = locale;
    this.#sorted = null;
  }

  /** A column was chosen: ascending, then descending, then not at all. `extend` keeps the others before it. */
  cycle(column: number, extend: boolean): void {
    const key = this.#keys[column];
    if (key === undefined) return;
    const before = this.#chosen.find(sort => sort.key === key);
    const next = before?.descending ? [] : [{ key, descending: before !== undefined }];
    const others = extend ? this.#chosen.filter(sort => sort.key !== key) : [];
    const place = extend && before ? this.#chosen.indexOf(before) : others.length;
    this.#chosen = [...others.slice(0, place), ...next, ...others.slice(place)].slice(0, mostSorts);
    this.#sorted = null;
  }

  /** Back to the order of the report. */
  clear(): void {
    this.#chosen = [];
    this.#sorted = null;
  }
}
