import type { TableMessages } from './messages.js';

const plural = new Intl.PluralRules('en');
const isOne = (count: number): boolean => plural.select(count) === 'one';

/** English. */
export const en: TableMessages = {
  sortHint: 'Click or Enter sorts, Shift adds a column, F2 changes the width',
  sortsShown: 'Sorts only the rows that are shown: there may be more',
  ascending: title => `${title}, ascending`,
  descending: title => `${title}, descending`,
  sortedBy: list => `Sorted by ${list}`,
  unsorted: 'In the order of the report',
  width: title => `Width of ${title}`,
  copied: (count, text) => (isOne(count) ? '1 cell copied' : `${text} cells copied`),
  copyTooMany: most => `Too much to copy: at most ${most} cells`,
  leftOut: (count, text) => (isOne(count) ? '1 more row is left out.' : `${text} more rows are left out.`),
  tones: { positive: 'good', negative: 'bad', warning: 'warning', accent: 'highlighted' },
  trend: (count, text, from, to) => (isOne(count) ? `1 value, ${to}` : `${text} values, from ${from} to ${to}`),
  cut: 'There is more than a table can hold: not all columns and rows are shown.',
  total: 'Total',
  columnGroup: 'Columns shown',
  allGroups: 'All columns',
};
