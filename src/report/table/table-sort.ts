import type { Cell } from '../../contract/data.js';
import { compareByOrder } from '../format/compare.js';
import { toNumber } from '../format/numeric-value.js';
import type { Table, TableCell } from './table.js';

/** Sort column and direction of a table. */
export interface TableSort {
  /** Index in the table's columns. */
  readonly column: number;
  readonly descending: boolean;
}

const maxDigits = 20;
const otherDigits = /(?![0-9])\p{N}/u;
/** Languages with the default sort order of Unicode. */
const plainOrder = /^(de|en|fr|it|nl|pt)(-(?!CA)[A-Z]{2})?$/;

type Compare<T> = (one: T, other: T) => number;

/**
 * Sorts a table: numbers numerically, text in the order of `locale`, missing values last in both directions. The sort
 * is stable, and totals do not move. In a pivot with measures in rows, the measures of a row stay together and are
 * sorted by the first.
 */
export function sortTable(table: Table, sort: TableSort | null, locale: string): Table {
  if (!sort || !table.columns[sort.column]) return table;
  const order = sortedGroups(table, sort, locale);
  const { groupSize, headerCount, rowCount } = table;
  const source = (index: number): number => {
    const group = order[Math.floor(index / groupSize)];
    return group === undefined ? index : group * groupSize + (index % groupSize);
  };
  return {
    ...table,
    value: (row, column) => table.value(source(row), column),
    mark: (row, column) => table.mark(source(row), column),
    row: index => {
      if (index < 0 || index >= rowCount) return null;
      const row = table.row(source(index));
      if (!row || headerCount === 0 || row.kind === 'total') return row;
      const headers = Array.from({ length: headerCount }, (_, column) => column);
      const above = index === 0 ? null : headers.map(column => table.value(source(index - 1), column));
      return { ...row, cells: markRepeatedHeaders(row.cells, above, headerCount) };
    },
  };
}

/** Marks headers that repeat the header above; a header is not repeated if an earlier one differs. */
export function markRepeatedHeaders(
  cells: readonly TableCell[],
  above: readonly Cell[] | null,
  headerCount: number,
): readonly TableCell[] {
  let same = above !== null;
  return cells.map((cell, index) => {
    if (index >= headerCount) return cell;
    same &&= above?.[index] === cell.value;
    // The last header distinguishes rows, so it never repeats.
    const repeats = same && index < headerCount - 1;
    return cell.repeats === repeats ? cell : { ...cell, repeats };
  });
}

function sortedGroups(table: Table, sort: TableSort, locale: string): readonly number[] {
  const { groupSize, sections, rowCount, totalCount, value } = table;
  const groups = Array.from({ length: Math.floor((rowCount - totalCount) / groupSize) }, (_, group) => group);
  const values = groups.map(group => value(group * groupSize, sort.column));
  const { places, count } = placesOf(values, locale);
  // Missing values have the last rank in both directions.
  const turned = sort.descending ? places.map(place => (place === count ? count : count - 1 - place)) : places;
  const ordered = inOrder(groups, group => turned[group] ?? count, count + 1);
  const section = groups.length / sections;
  return sections > 1 ? inOrder(ordered, group => Math.floor(group / section), sections) : ordered;
}

/** Sorts the groups by a zero-based rank with a counting sort, which is stable. */
function inOrder(groups: readonly number[], place: (group: number) => number, places: number): readonly number[] {
  const starts = new Uint32Array(places + 1);
  for (const group of groups) starts[place(group) + 1] = (starts[place(group) + 1] ?? 0) + 1;
  for (let index = 1; index <= places; index += 1) starts[index] = (starts[index] ?? 0) + (starts[index - 1] ?? 0);
  const ordered = groups.slice();
  for (const group of groups) {
    const at = starts[place(group)] ?? 0;
    ordered[at] = group;
    starts[place(group)] = at + 1;
  }
  return ordered;
}

interface Places {
  readonly places: Uint32Array;
  /** Number of ranks, which is also the rank of missing values. */
  readonly count: number;
}

/** Returns the zero-based rank of each value: numbers before strings, equal values with equal ranks. */
function placesOf(values: readonly Cell[], locale: string): Places {
  const figures = Float64Array.from(values, value => toNumber(value) ?? Number.NaN);
  const indexes = values.map((_, index) => index);
  const compare = (a: number, b: number): number =>
    (figures[a] ?? 0) - (figures[b] ?? 0) || compareIntegers(values[a] ?? null, values[b] ?? null);
  const places = new Uint32Array(values.length);
  const numbers = indexes.filter(index => !Number.isNaN(figures[index])).sort(compare);
  const first = putPlaces(places, numbers, compare, 0);
  const texts = distinctTexts(values, figures);
  const { keys, compare: compareKeys } = textOrder(texts.distinct, locale);
  const compareTexts = (a: number, b: number): number => compareKeys(keys[a] ?? '', keys[b] ?? '');
  const ids = keys.map((_, id) => id).sort(compareTexts);
  const textPlaces = new Uint32Array(keys.length);
  const count = putPlaces(textPlaces, ids, compareTexts, first);
  for (const index of indexes) {
    if (values[index] === null) places[index] = count;
    else if (Number.isNaN(figures[index])) places[index] = textPlaces[texts.ids[index] ?? 0] ?? count;
  }
  return { places, count };
}

/** Assigns ranks to sorted values, starting with `first`; returns the next free rank. */
function putPlaces(places: Uint32Array, ordered: readonly number[], compare: Compare<number>, first: number): number {
  let next = first;
  ordered.forEach((index, at) => {
    const before = ordered[at - 1];
    if (before === undefined || compare(before, index) !== 0) next += 1;
    places[index] = next - 1;
  });
  return next;
}

/** Returns distinct strings, and the index of each value among them, because locale-aware comparison is expensive. */
function distinctTexts(values: readonly Cell[], figures: Float64Array) {
  const known = new Map<string, number>();
  const ids = Uint32Array.from(values, (value, index) => {
    if (value === null || !Number.isNaN(figures[index])) return 0;
    const text = String(value);
    const id = known.get(text) ?? known.size;
    if (id === known.size) known.set(text, id);
    return id;
  });
  return { distinct: [...known.keys()], ids };
}

/**
 * Returns how to compare strings, and the keys to compare: numbers in strings by value, in the cheapest way that these
 * strings allow.
 */
function textOrder(
  texts: readonly string[],
  locale: string,
): { readonly keys: readonly string[]; readonly compare: Compare<string> } {
  if (areTimes(texts)) return { keys: texts, compare: compareByOrder };
  const width = texts.reduce((max, text) => Math.max(max, maxDigitCount(text)), 0);
  // Padding does not work for digits of other scripts, and would be too long for very long numbers.
  if (width > maxDigits || texts.some(text => otherDigits.test(text))) {
    return { keys: texts, compare: new Intl.Collator(locale, { numeric: true }).compare };
  }
  const padded = (text: string): string => text.replace(/\d+/g, digits => digits.padStart(width, '0'));
  return { keys: width === 0 ? texts : texts.map(padded), compare: compareIn(locale) };
}

/**
 * Returns a comparison in a locale. `localeCompare` in the page's locale is the fastest one; it is used if the order is
 * the same.
 */
function compareIn(locale: string): Compare<string> {
  const collator = new Intl.Collator(locale);
  const isPages = [collator, new Intl.Collator()].every(each => plainOrder.test(each.resolvedOptions().locale));
  return isPages ? (one, other) => one.localeCompare(other) : collator.compare;
}

function maxDigitCount(text: string): number {
  return (text.match(/\d+/g) ?? []).reduce((max, { length }) => Math.max(max, length), 0);
}

/** True for dates and times in one format, which sort lexically. */
function areTimes(texts: readonly string[]): boolean {
  const length = texts[0]?.length;
  return texts.every(text => text.length === length && /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{3})?)?$/.test(text));
}

/** Compares integers with full precision if their doubles are equal. */
function compareIntegers(one: Cell, other: Cell): number {
  const isInteger = (cell: Cell): cell is string => typeof cell === 'string' && /^-?\d{16,400}$/.test(cell);
  if (!isInteger(one) || !isInteger(other)) return 0;
  return compareByOrder(BigInt(one), BigInt(other));
}
