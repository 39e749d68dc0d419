import type { MessageTree } from '../../messages/message-format.js';

const pluralRules = new Intl.PluralRules('en');
const isOne = (count: number): boolean => pluralRules.select(count) === 'one';

/** English messages of tables. */
export const tableMessages = {
  /** Name of the button in a heading. */
  sortHint: 'Click or Enter sorts, Shift adds a column, F2 changes the width',
  /** Of an answer that was cut: what sorting does then. */
  sortsShown: 'Sorts only the rows that are shown: there may be more',
  ascending: (title: string) => `${title}, ascending`,
  descending: (title: string) => `${title}, descending`,
  /** A list of the two above. */
  sortedBy: (list: string) => `Sorted by ${list}`,
  unsorted: 'In the order of the report',
  /** Name of the handle between two headings. */
  width: (title: string) => `Width of ${title}`,
  /** `count` as a number for its plural, `text` as it is written. */
  copied: (count: number, text: string) => (isOne(count) ? '1 cell copied' : `${text} cells copied`),
  copyTooMany: (most: string) => `Too much to copy: at most ${most} cells`,
  /** Below the rows that were printed. */
  leftOut: (count: number, text: string) =>
    isOne(count) ? '1 more row is left out.' : `${text} more rows are left out.`,
  /** What a coloured cell says beside its colour. */
  tones: { positive: 'good', negative: 'bad', warning: 'warning', accent: 'highlighted' } satisfies Readonly<
    Record<'positive' | 'negative' | 'warning' | 'accent', string>
  >,
  /** A small line of figures. */
  trend: (count: number, text: string, from: string, to: string) =>
    isOne(count) ? `1 value, ${to}` : `${text} values, from ${from} to ${to}`,
  /** Of a pivot with more columns or rows than a table holds. */
  cut: 'There is more than a table can hold: not all columns and rows are shown.',
  /** Heading of a row or column of totals. */
  total: 'Total',
  /** Name of the list of a pivot's column groups in a narrow box, and its entry for all of them. */
  columnGroup: 'Columns shown',
  allGroups: 'All columns',
} satisfies MessageTree;

/** Messages of tables, in one language. */
export type TableMessages = typeof tableMessages;
