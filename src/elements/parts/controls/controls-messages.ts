import type { DashboardFilterOperator } from '../../../contract/widget-config.js';
import { createPluralizer, type MessageTree } from '../../messages/message-format.js';

/** Spans of time that are offered, by the phrase that the Data API knows them by. */
export const phrases = [
  'today',
  'yesterday',
  'last 7 days',
  'last 30 days',
  'last 90 days',
  'this week',
  'last week',
  'this month',
  'last month',
  'this quarter',
  'last quarter',
  'this year',
  'from this year to today',
  'last year',
  'last 12 months',
] as const;

const pluralize = createPluralizer('en');

/** English messages of the controls of a dashboard. */
export const controlsMessages = {
  operators: {
    equals: 'is',
    not_equals: 'is not',
    greater_than: 'is greater than',
    greater_than_or_equal: 'is at least',
    less_than: 'is less than',
    less_than_or_equal: 'is at most',
    contains: 'contains',
    not_contains: 'does not contain',
    starts_with: 'starts with',
    not_starts_with: 'does not start with',
    ends_with: 'ends with',
    not_ends_with: 'does not end with',
    is_null: 'has no value',
    is_not_null: 'has a value',
    is_empty: 'is an empty text',
    is_not_empty: 'is not empty',
    between: 'is between',
    custom: 'is in a period',
  } satisfies Readonly<Record<DashboardFilterOperator, string>>,
  phrases: {
    today: 'today',
    yesterday: 'yesterday',
    'last 7 days': 'last 7 days',
    'last 30 days': 'last 30 days',
    'last 90 days': 'last 90 days',
    'this week': 'this week',
    'last week': 'last week',
    'this month': 'this month',
    'last month': 'last month',
    'this quarter': 'this quarter',
    'last quarter': 'last quarter',
    'this year': 'this year',
    'from this year to today': 'year to date',
    'last year': 'last year',
    'last 12 months': 'last 12 months',
  } satisfies Readonly<Record<(typeof phrases)[number], string>>,
  /** What is chosen, as a sentence: "Carrier is AA, DL". `operator` is one of the words above, and empty of a period. */
  sentence: (title: string, operator: string, values: string) =>
    [operator ? title : `${title}:`, operator, values].filter(Boolean).join(' '),
  /** From one to the other. */
  range: (start: string, end: string) => `${start} and ${end}`,
  noValue: '(no value)',
  emptyText: '(empty)',
  yes: 'Yes',
  no: 'No',
  condition: 'Condition',
  period: 'Period',
  from: 'From',
  to: 'To',
  value: 'Value',
  /** Of a field that takes several values. */
  valuePerLine: 'Values, one per line',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  /** A typed date can't be read; `example` is one in the viewer's format. */
  dateFormat: (example: string) => `Enter a date like ${example}.`,
  endBeforeStart: 'The end is before the start.',
  /** The first day of a range is chosen in the calendar. */
  chooseEnd: 'Choose the last day.',
  /** Of a day before or after the rows of the data. */
  noData: 'no data',
  search: 'Search',
  selectAll: 'Select all',
  /** How many values of a list are chosen. */
  chosen: (count: number) => pluralize(count, { one: '1 selected', other: '# selected' }),
  clear: 'Clear',
  reset: 'Reset',
  done: 'Done',
  loading: 'Loading…',
  nothingFound: 'Nothing found',
  /** There are more than are listed. */
  more: (count: string) => `These are the first ${count}. Search to find others.`,
  ignoresCase: 'Upper and lower case count as the same.',
  /** The host or the author settled it. */
  fixed: 'Set by this page',
  /** Name of the button and the sheet where there is little room; with how many are chosen. */
  filters: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
  /** Of a condition that no report can follow. */
  unfit: 'This condition can’t be applied',
  /** How many reports show something new. */
  updated: (count: number) => pluralize(count, { one: '1 tile updated.', other: '# tiles updated.' }),
  isReset: 'Controls were reset.',
  /** Of marks of several members or times that were chosen on a tile. */
  severalMarks: (title: string) => `${title}: several chosen`,
  /** Name of the chip that takes back what was chosen by marks. */
  clearMarks: (sentence: string) => `Stop filtering: ${sentence}`,
  marksCleared: 'No longer filtered by marks.',
} satisfies MessageTree;

/** Messages of the controls of a dashboard, in one language. */
export type ControlsMessages = typeof controlsMessages;
