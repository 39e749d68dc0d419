import { textWidth } from '../format/text-width.js';
import type { Table, TableColumn } from './table.js';

/**
 * Number of rows to sample for the width of a column, and the maximum number of sampled cells. Tables with very many
 * columns use fewer rows.
 */
const sample = 100;
const maxSampled = 20_000;
/**
 * Maximum number of cells to search for the number with the longest integer part. The cells of a pivot are looked up
 * individually.
 */
const maxScanned = { rows: 500_000, pivot: 50_000 };
/**
 * Share of the values of a column that fit; longer values are cut off and shown in full on hover. Numbers are never cut
 * off.
 */
const whole = 0.9;
/** Maximum text length that a column reserves space for, in characters. */
const maxTextLength = 40;
/** Maximum length of values that are short, such as names of cities: all of them fit if there is space. */
const maxShortLength = 20;

/** Text style in a column. Totals are bold; headings are smaller. */
export type TextStyle = 'body' | 'total' | 'heading';

/** A string that a column must fit. */
export interface ColumnText {
  readonly text: string;
  readonly style: TextStyle;
}

/** Contents that a column must fit. */
export interface ColumnNeeds {
  /** Cells that determine the width: all numbers, dates and short values, and nearly all long values. */
  readonly cells: readonly ColumnText[];
  /** Widest cell among nearly all values. Used if the table does not fit its container otherwise. */
  readonly compactCell: ColumnText;
  readonly heading: ColumnText;
  /** The longest word of its heading; words are not broken. */
  readonly word: ColumnText;
  /** Whether its cells are numbers or dates, which are never cut off. */
  readonly isWhole: boolean;
  /** Whether conditional formats add signs before its numbers. */
  readonly hasSigns: boolean;
  readonly display: TableColumn['settings']['display'];
}

/** Returns what each column must fit, based on its heading, its totals, its first rows and its longest number. */
export function columnNeeds(table: Table): ColumnNeeds[] {
  const { rowCount, totalCount } = table;
  const body = rowCount - totalCount;
  const maxRows = Math.min(sample, Math.ceil(maxSampled / Math.max(1, table.columns.length)));
  const first = Math.min(maxRows, body);
  const lines = [
    ...Array.from({ length: first }, (_, index) => index),
    ...Array.from({ length: Math.min(totalCount, maxRows) }, (_, index) => rowCount - 1 - index),
  ];
  const rows = lines.flatMap(index => table.row(index) ?? []);
  const longest = findLongestFigures(table, first, body);
  // The width of a date is known only after formatting, so rows from the whole table are sampled.
  const step = Math.ceil((body - first) / maxRows);
  const spread = table.columns.some(({ isTime }) => isTime)
    ? Array.from({ length: step > 0 ? Math.floor((body - first) / step) : 0 }, (_, index) => first + index * step)
        .flatMap(index => table.row(index) ?? [])
        .map(({ cells }) => cells)
    : [];
  return table.columns.map((column, index) => {
    const isWhole = column.kind === 'figure' || column.kind === 'total' || column.isTime === true;
    const cells = rows.flatMap(({ cells }) => cells[index] ?? []);
    const far = longest.get(index);
    const farRow = column.isTime || far === undefined ? null : table.row(far);
    const more = column.isTime ? spread.flatMap(row => row[index] ?? []) : (farRow?.cells[index] ?? []);
    const plain = cells.concat(more).flatMap(({ kind, text }) => (kind === 'total' ? [] : text));
    const totals = cells.flatMap(({ kind, text }) => (kind === 'total' ? text : []));
    const compactText = isWhole ? widest(plain) : ninthTenth(plain);
    const short = isWhole ? [] : plain.filter(({ length }) => length <= maxShortLength);
    return {
      cells: [
        { text: widest([...short, compactText]), style: 'body' },
        { text: widest(totals), style: 'total' },
      ],
      compactCell: { text: compactText, style: 'body' },
      heading: { text: column.title, style: 'heading' },
      word: { text: widest(column.title.split(/[\s/-]+/)), style: 'heading' },
      isWhole,
      hasSigns: column.settings.formats.length > 0,
      display: column.settings.display,
    };
  });
}

/**
 * Returns a key for each column that identifies it in other row sets. A pivot can have several columns of the same
 * member.
 */
export function columnKeys({ columns, heads }: Table): string[] {
  const above: string[][] = columns.map(() => []);
  for (const level of heads) {
    for (const { title, from, span } of level) {
      for (let column = from; column < from + span; column++) above[column]?.push(title);
    }
  }
  return columns.map(({ member, title }, index) => JSON.stringify([member, title, ...(above[index] ?? [])]));
}

/**
 * Returns a row for each numeric column: the one after the first `first` rows that has the number with the longest
 * integer part.
 */
function findLongestFigures(table: Table, first: number, body: number): ReadonlyMap<number, number> {
  const columns = table.columns.flatMap(({ kind }, index) => (kind === 'figure' ? index : []));
  const maxFigures = table.headerCount > 0 ? maxScanned.pivot : maxScanned.rows;
  const step = Math.max(1, Math.ceil(((body - first) * columns.length) / maxFigures));
  const longest = new Map<number, number>();
  for (const column of columns) {
    let maxLength = 0;
    for (let row = first; row < body; row += step) {
      const length = integerLength(table.value(row, column));
      if (length <= maxLength) continue;
      maxLength = length;
      longest.set(column, row);
    }
  }
  return longest;
}

function integerLength(value: unknown): number {
  if (typeof value === 'number') return value === 0 ? 1 : Math.floor(Math.log10(Math.abs(value))) + (value < 0 ? 2 : 1);
  if (typeof value !== 'string') return 0;
  const point = value.indexOf('.');
  return point < 0 ? value.length : point;
}

/** Returns the widest string, estimated. A string that is at least two characters shorter is never wider. */
function widest(texts: readonly string[]): string {
  const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  let [found, width] = ['', 0];
  for (const text of texts) {
    if (text === found || text.length < longest - 1) continue;
    const own = textWidth(text);
    if (own > width) [found, width] = [text, own];
  }
  return found;
}

function ninthTenth(texts: readonly string[]): string {
  const sorted = [...texts].sort((a, b) => a.length - b.length);
  return sorted[Math.ceil(sorted.length * whole) - 1]?.slice(0, maxTextLength) ?? '';
}
