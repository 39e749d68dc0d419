import type { DashboardFilterOperator } from '../../../../contract/widget-config.js';

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

/** The words of the controls in one language. Counts come formatted unless they are numbers. */
export interface ControlMessages {
  readonly operators: Readonly<Record<DashboardFilterOperator, string>>;
  readonly phrases: Readonly<Record<(typeof phrases)[number], string>>;
  /** What is chosen, as a sentence: "Carrier is AA, DL". `operator` is one of the words above, and empty of a period. */
  readonly sentence: (title: string, operator: string, values: string) => string;
  /** From one to the other. */
  readonly range: (start: string, end: string) => string;
  readonly noValue: string;
  readonly emptyText: string;
  readonly yes: string;
  readonly no: string;
  readonly condition: string;
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly value: string;
  /** Of a field that takes several values. */
  readonly valuePerLine: string;
  readonly previousMonth: string;
  readonly nextMonth: string;
  readonly previousYear: string;
  readonly nextYear: string;
  /** A typed date can't be read; `example` is one in the viewer's format. */
  readonly dateFormat: (example: string) => string;
  readonly endBeforeStart: string;
  /** The first day of a range is chosen in the calendar. */
  readonly chooseEnd: string;
  /** Of a day before or after the rows of the data. */
  readonly noData: string;
  readonly search: string;
  readonly selectAll: string;
  /** How many values of a list are chosen. */
  readonly chosen: (count: number) => string;
  readonly clear: string;
  readonly reset: string;
  readonly done: string;
  readonly loading: string;
  readonly nothingFound: string;
  /** There are more than are listed. */
  readonly more: (count: string) => string;
  readonly ignoresCase: string;
  /** The host or the author settled it. */
  readonly fixed: string;
  /** Name of the button and the sheet where there is little room; with how many are chosen. */
  readonly filters: (count: number) => string;
  /** Of a condition that no report can follow. */
  readonly unfit: string;
  /** How many reports show something new. */
  readonly updated: (count: number) => string;
  readonly isReset: string;
  /** Of marks of several members or times that were chosen on a tile. */
  readonly severalMarks: (title: string) => string;
  /** Name of the chip that takes back what was chosen by marks. */
  readonly clearMarks: (sentence: string) => string;
  readonly marksCleared: string;
}
