import type { MessageTree } from '../../messages/message-format.js';

const isOne = (count: number): boolean => count === 1;

/** English messages of tables. */
export const tableMessages = {
  /** Tooltip of a heading. */
  sortHint: 'Click or Enter sorts, Shift adds a column, F2 resizes',
  /** Effect of sorting if the result is truncated. */
  sortsShown: 'Sorts only the loaded rows; there may be more',
  ascending: (title: string) => `${title}, ascending`,
  descending: (title: string) => `${title}, descending`,
  /** A list of the two above. */
  sortedBy: (list: string) => `Sorted by ${list}`,
  unsorted: 'In report order',
  /** Label of the resize handle between two headings. */
  width: (title: string) => `Width of ${title}`,
  /** `count` selects the plural form; `text` is the formatted number. */
  copied: (count: number, text: string) => (isOne(count) ? '1 cell copied' : `${text} cells copied`),
  copyTooMany: (limit: string) => `Too many cells to copy: the limit is ${limit}`,
  /** Shown after the printed rows. */
  leftOut: (count: number, text: string) =>
    isOne(count) ? '1 more row is not printed.' : `${text} more rows are not printed.`,
  /** Text alternatives for the color of a cell. */
  tones: { positive: 'good', negative: 'bad', warning: 'warning', accent: 'highlighted' } satisfies Readonly<
    Record<'positive' | 'negative' | 'warning' | 'accent', string>
  >,
  /** Description of a sparkline. */
  trend: (count: number, text: string, from: string, to: string) =>
    isOne(count) ? `1 value, ${to}` : `${text} values, from ${from} to ${to}`,
  /** Shown if a pivot has more columns or rows than a table can hold. */
  cut: 'The table is too large: not all columns and rows are shown.',
  /** Heading of a row or column of totals. */
  total: 'Total',
  /** Label of the list of column groups of a pivot in a narrow box, and its option for all groups. */
  columnGroup: 'Columns shown',
  allGroups: 'All columns',
} satisfies MessageTree;

/** Messages of tables, in one language. */
export type TableMessages = typeof tableMessages;
