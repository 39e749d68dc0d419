import type { DashboardFilterOperator } from '../../../contract/widget-config.js';
import { createPluralizer, type MessageTree } from '../../messages/message-format.js';

/** Relative date ranges offered, as the Data API spells them. */
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
    is_empty: 'is empty',
    is_not_empty: 'is not empty',
    between: 'is between',
    custom: 'is in the period',
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
  /**
   * The current choice as a sentence: "Carrier is AA, DL". `operator` is one of the labels above, or empty for a
   * period.
   */
  sentence: (title: string, operator: string, values: string) =>
    [operator ? title : `${title}:`, operator, values].filter(Boolean).join(' '),
  /** A range with both ends. */
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
  /** Label of a field that accepts several values. */
  valuePerLine: 'Values, one per line',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  /** Shown if a typed date cannot be parsed; `example` uses the viewer's format. */
  dateFormat: (example: string) => `Enter a date like ${example}.`,
  endBeforeStart: 'The end is before the start.',
  /** Shown after the first day of a range was chosen in the calendar. */
  chooseEnd: 'Select the last day.',
  /** Label of a day outside the date range of the data. */
  noData: 'no data',
  search: 'Search',
  selectAll: 'Select all',
  /** Number of selected values in a list. */
  chosen: (count: number) => pluralize(count, { one: '1 selected', other: '# selected' }),
  clear: 'Clear',
  reset: 'Reset',
  done: 'Done',
  loading: 'Loading…',
  nothingFound: 'Nothing found',
  /** Shown if a list is truncated. */
  more: (count: string) => `Showing the first ${count}. Search to find others.`,
  ignoresCase: 'Not case-sensitive.',
  /** Shown if the host or the author fixed the value. */
  fixed: 'Set by this page',
  /** Label of the sheet and its button in narrow containers, with the number of choices. */
  filters: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
  /** Shown if no report can apply a condition. */
  unfit: 'This condition can’t be applied',
  /** Number of updated tiles. */
  updated: (count: number) => pluralize(count, { one: '1 tile updated.', other: '# tiles updated.' }),
  isReset: 'Controls were reset.',
  /** Label for several marks with different members or times on one tile. */
  severalMarks: (title: string) => `${title}: several selected`,
  /** Label of the chip that clears the filter by marks. */
  clearMarks: (sentence: string) => `Stop filtering: ${sentence}`,
  marksCleared: 'The filter by marks was cleared.',
} satisfies MessageTree;

/** Messages of the controls of a dashboard, in one language. */
export type ControlsMessages = typeof controlsMessages;
