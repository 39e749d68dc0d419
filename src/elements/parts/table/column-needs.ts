import { textWidth } from '../../../report/format/text-width.js';
import type { Table, TableColumn } from '../../../report/table/table.js';

/** Rows that are looked at for the width of a column, fewer of a table with very many columns. */
const sample = 100;
const maxSampled = 20_000;
/** Cells that are searched for the figure with the longest integer; those of a pivot are looked up one by one. */
const maxScanned = { rows: 500_000, pivot: 50_000 };
/** Share of the texts of a column that it has room for; longer ones are cut and say the rest on hover. Figures are never cut. */
const whole = 0.9;
/** Most characters of a text that a column has room for. */
const maxTextLength = 40;

/** How the texts of a column are written: those of totals are bold, headings smaller. */
export type TextStyle = 'body' | 'total' | 'heading';

/** A text that a column makes room for. */
export interface ColumnText {
  readonly text: string;
  readonly style: TextStyle;
}

/** What a column makes room for. */
export interface ColumnNeeds {
  /** Its widest cells: all of its figures and dates, nearly all of its texts. */
  readonly cells: readonly ColumnText[];
  readonly heading: ColumnText;
  /** The longest word of its heading, which is not broken. */
  readonly word: ColumnText;
  /** Its cells are figures or dates, which are never cut. */
  readonly isWhole: boolean;
  /** Signs before figures, by conditional formats. */
  readonly hasSigns: boolean;
  readonly display: TableColumn['look']['display'];
}

/** What every column makes room for, by its heading, its totals, its first rows and its longest figure. */
export function columnNeeds(table: Table): ColumnNeeds[] {
  const { rowCount, totalCount } = table;
  const body = rowCount - totalCount;
  const most = Math.min(sample, Math.ceil(maxSampled / Math.max(1, table.columns.length)));
  const first = Math.min(most, body);
  const lines = [
    ...Array.from({ length: first }, (_, index) => index),
    ...Array.from({ length: Math.min(totalCount, most) }, (_, index) => rowCount - 1 - index),
  ];
  const rows = lines.flatMap(index => table.row(index) ?? []);
  const longest = longestFigures(table, first, body);
  // Texts of dates are only known once they are formatted: some rows from all over the table are.
  const step = Math.ceil((body - first) / most);
  const spread = table.columns.some(({ isTime }) => isTime)
    ? Array.from({ length: step > 0 ? Math.floor((body - first) / step) : 0 }, (_, index) => first + index * step)
        .flatMap(index => table.row(index) ?? [])
        .map(({ cells }) => cells)
    : [];
  return table.columns.map((column, index) => {
    const isWhole = column.kind === 'figure' || column.kind === 'total' || column.isTime === true;
    const cells = rows.flatMap(({ cells }) => cells[index] ?? []);
    const far = longest.get(index);
    const more = column.isTime
      ? spread.flatMap(row => row[index] ?? [])
      : far === undefined
        ? []
        : (table.row(far)?.cells[index] ?? []);
    const plain = cells.concat(more).flatMap(({ kind, text }) => (kind === 'total' ? [] : text));
    const totals = cells.flatMap(({ kind, text }) => (kind === 'total' ? text : []));
    const shown = isWhole ? widest(plain) : ninthTenth(plain);
    return {
      cells: [
        { text: shown, style: 'body' },
        { text: widest(totals), style: 'total' },
      ],
      heading: { text: column.title, style: 'heading' },
      word: { text: widest(column.title.split(/[\s/-]+/)), style: 'heading' },
      isWhole,
      hasSigns: column.look.formats.length > 0,
      display: column.look.display,
    };
  });
}

/** A name for every column by which it is known again among other rows: a pivot has several of one member. */
export function columnKeys({ columns, heads }: Table): string[] {
  const above: string[][] = columns.map(() => []);
  for (const level of heads) {
    for (const { title, from, span } of level) {
      for (let column = from; column < from + span; column++) above[column]?.push(title);
    }
  }
  return columns.map(({ member, title }, index) => JSON.stringify([member, title, ...(above[index] ?? [])]));
}

/** By column of figures, the row behind the first ones whose figure has the longest integer. */
function longestFigures(table: Table, first: number, body: number): ReadonlyMap<number, number> {
  const columns = table.columns.flatMap(({ kind }, index) => (kind === 'figure' ? index : []));
  const most = table.headerCount > 0 ? maxScanned.pivot : maxScanned.rows;
  const step = Math.max(1, Math.ceil(((body - first) * columns.length) / most));
  const longest = new Map<number, number>();
  for (const column of columns) {
    let most = 0;
    for (let row = first; row < body; row += step) {
      const length = integerLength(table.value(row, column));
      if (length <= most) continue;
      most = length;
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

/** The widest text, estimated; one that is shorter by two characters is never wider. */
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
