import { maxToolRows } from '../../../../contract/chat.js';
import type { Cell } from '../../../../contract/data.js';
import type { JsonObject } from '../../../../contract/wire.js';
import type { Formatter } from '../../../../report/format/format.js';
import { ChartKind, type Reading } from '../reading/reading.js';
import { timeColumn } from '../reading/to-query.js';
import { bucketAt, type CoveredDays, isFiner } from '../time/date-span.js';
import { withoutBrackets } from '../vocabulary/lexicon.js';
import { comparedRows, comparedTotals, unfinished } from './comparison-text.js';
import { type contributionsOf, contributionsText } from './contributions.js';
import { describeReading, describeSpan } from './describe-reading.js';
import { plainText } from './markdown.js';
import {
  cellOf,
  groupWords,
  keyCells,
  keyColumns,
  keyTitles,
  labelOf,
  type Result,
  shownRows,
  tableOf,
  type Writer,
  writerOf,
} from './results.js';
import { runningTotals, unusualValues } from './series-text.js';
import { sharedRows, sharedTotal } from './share-text.js';

/** Input for the text of an answer. */
export interface AnswerInput {
  readonly reading: Reading;
  /** Results in query order. */
  readonly results: readonly Result[];
  readonly locale: string;
  /** Formatter for the language of the reader. */
  readonly formatter: Formatter;
  /** First and last day with data. Set only if a period has no rows, or if the answer looks for unusual values. */
  readonly days: CoveredDays | null;
  /** Current day in the caller's time zone (`YYYY-MM-DD`). */
  readonly today: string;
  /** Contributions of the groups to a change; empty for other readings. */
  readonly contributions: Awaited<ReturnType<typeof contributionsOf>>;
}

/** Returns the answer in Markdown. Every number is part of a result or is computed from results. */
export function answerOf(answered: AnswerInput): string {
  const { reading, locale } = answered;
  const paragraphs = [
    figuresOf(answered),
    ...notesOf(answered),
    ...unfinished(reading, answered.today, locale),
    `Understood as: ${describeReading(reading, locale)}.`,
  ];
  return paragraphs.filter(text => text !== '').join('\n\n');
}

function figuresOf(answered: AnswerInput): string {
  const { reading, results, formatter } = answered;
  const [main, other] = results;
  if (main === undefined) return '';
  const writer = writerOf(reading, formatter);
  const isGrouped = keyColumns(reading).length > 0;
  if (isEmpty(main, reading)) return emptyText(answered);
  if (reading.measures.length === 0) return listText(reading, main, writer);
  if (reading.computation.kind !== 'none') return computedText(answered, main, other, writer);
  if (!isGrouped) return totals(reading, main, writer);
  if (reading.measures.length > 1 || reading.perGroup) return figureRows(reading, main, writer);
  return timeColumn(reading) && reading.dimensions.length === 0 && reading.order === null
    ? trendText(reading, main, writer)
    : rankedText(reading, main, writer);
}

/** Describes shares, changes and other values that are computed from the results. */
function computedText(answered: AnswerInput, main: Result, other: Result | undefined, writer: Writer): string {
  const { reading, results, locale, contributions, days } = answered;
  const isGrouped = keyColumns(reading).length > 0;
  switch (reading.computation.kind) {
    case 'contributions':
      return contributionsText(reading, results, contributions, { writer, locale });
    case 'running total':
      return runningTotals(reading, main, writer);
    case 'unusual':
      return unusualValues(reading, main, { writer, days });
    case 'share':
      if (!other) return '';
      return isGrouped ? sharedRows(reading, main, other, writer) : sharedTotal(reading, main, other, writer);
    case 'compare':
    case 'compare rows':
      if (!other) return '';
      return (isGrouped ? comparedRows : comparedTotals)(reading, main, other, writer, locale);
    case 'none':
      return '';
  }
}

/**
 * Whether the text of the answer contains all rows of a result.
 * @param index - index of its query.
 */
export function isSupporting(reading: Reading, { data, vegaSpec }: JsonObject, index: number): boolean {
  const isGrouped = keyColumns(reading).length > 0;
  const isTable = isGrouped && vegaSpec === undefined && Array.isArray(data) && data.length <= shownRows;
  switch (reading.computation.kind) {
    case 'contributions':
      return true;
    case 'share':
    case 'compare':
    case 'compare rows':
      return index > 0 || !isGrouped || isTable;
    case 'running total':
      return isTable;
    case 'unusual':
      return false;
    case 'none':
      return isTable && (reading.measures.length > 1 || reading.perGroup !== null);
  }
}

function isEmpty(result: Result, { measures }: Reading): boolean {
  if (result.rows.length === 0) return true;
  const [only, ...others] = result.rows;
  return (
    others.length === 0 && measures.length > 0 && measures.every(({ name }) => cellOf(result, only, name) === null)
  );
}

function emptyText({ reading, days, locale }: AnswerInput): string {
  if (days) return noDataText(reading, days, locale);
  const found = 'There is **no data** for this question.';
  return reading.conditions.length + reading.segments.length > 0
    ? `${found} The conditions may exclude all rows. Try fewer conditions.`
    : found;
}

/**
 * Returns the question for the latest month with data, or for the latest year or quarter if the data is yearly or
 * quarterly.
 */
export function latestQuestion(reading: Reading, { last, step }: CoveredDays): string {
  const month = `${last.slice(0, 8)}01`;
  const [from, to] = bucketAt(month, isFiner('month', step) ? step : 'month') ?? [month, last];
  const latest = describeSpan({ from, to }, 'en');
  const about = withoutBrackets((reading.measures[0] ?? reading.dimensions[0])?.title ?? '');
  return `${about} in ${latest}`;
}

/** States which days the data covers, and suggests the question for the latest month. */
export function noDataText(reading: Reading, days: CoveredDays, locale: string): string {
  const covered = plainText(describeSpan({ from: days.first, to: days.last }, locale));
  return `There is **no data** for this period. Your data covers ${covered}. Ask for a period within it, for example “${plainText(latestQuestion(reading, days))}”.`;
}

function totals(reading: Reading, result: Result, writer: Writer): string {
  const [row] = result.rows;
  return reading.measures
    .map(({ name, title }) => `${plainText(title)}: **${writer.cell(name, cellOf(result, row, name))}**`)
    .join(', ')
    .concat('.');
}

function listText(reading: Reading, result: Result, writer: Writer): string {
  if (reading.chart === ChartKind.scatter)
    return `**${writer.count(result.totalRows)}** ${result.totalRows === 1 ? 'combination' : 'different combinations'} of ${groupWords(reading)}.`;
  const shown = result.rows.slice(0, 10).map(row => labelOf(reading, result, row, writer));
  const more = result.totalRows > shown.length ? ' …' : '.';
  return `${groupWords(reading)}: **${writer.count(result.totalRows)}** different ${result.totalRows === 1 ? 'value' : 'values'}: ${shown.join(', ')}${more}`;
}

/** Describes the first rows in words. The table or chart contains all rows. */
function rankedText(reading: Reading, result: Result, writer: Writer): string {
  const [measure] = reading.measures;
  if (measure === undefined) return '';
  const [first, ...others] = result.rows;
  const lead = `**${labelOf(reading, result, first, writer)}**: **${writer.cell(measure.name, cellOf(result, first, measure.name))}**`;
  const isSorted = !reading.dimensions[0]?.ordered || reading.order !== null;
  const next = others
    .slice(0, isSorted ? 2 : 4)
    .map(
      row =>
        `${labelOf(reading, result, row, writer)}: ${writer.cell(measure.name, cellOf(result, row, measure.name))}`,
    );
  const title = `${plainText(measure.title)} by ${groupWords(reading)}: `;
  const more = result.rows.length > next.length + 1 ? ' …' : '.';
  return `${title}${[lead, ...next].join(', ')}${more}`;
}

function trendText(reading: Reading, result: Result, writer: Writer): string {
  const [measure] = reading.measures;
  if (measure === undefined) return '';
  const value = (row: readonly Cell[] | undefined) => cellOf(result, row, measure.name);
  const point = (row: readonly Cell[] | undefined) =>
    `**${writer.cell(measure.name, value(row))}** (${labelOf(reading, result, row, writer)})`;
  const known = result.rows.filter(row => value(row) !== null);
  const bySize = known.toSorted((a, b) => Number(value(b)) - Number(value(a)));
  const title = `${plainText(measure.title)} by ${groupWords(reading)}`;
  if (known.length < 2) return `${title}: ${point(known[0] ?? result.rows[0])}.`;
  // If rows were omitted, the last and the highest value are unknown.
  if (result.totalRows > result.rows.length) return `${title}: starts at ${point(known[0])} …`;
  return `${title}: from ${point(known[0])} to ${point(known.at(-1))}; highest ${point(bySize[0])}, lowest ${point(bySize.at(-1))}.`;
}

/** Returns a table with several measures per group. */
function figureRows(reading: Reading, result: Result, writer: Writer): string {
  const titles = reading.measures.map(({ title }) => plainText(title));
  const rows = result.rows.slice(0, shownRows).map(row => {
    const cells = reading.measures.map(({ name }) => writer.cell(name, cellOf(result, row, name)));
    return [...keyCells(reading, result, row, writer), ...cells];
  });
  const lead = `${titles.join(' and ')} by ${groupWords(reading)}:`;
  const keys = keyTitles(reading);
  return `${lead}\n${tableOf([...keys, ...titles], rows, keys.length)}`;
}

/** Answers with a table of the first rows. */
const listing: ReadonlySet<Reading['computation']['kind']> = new Set(['share', 'compare', 'compare rows']);

function notesOf({ reading, results, formatter }: AnswerInput): string[] {
  const [main] = results;
  if (main === undefined) return [];
  const writer = writerOf(reading, formatter);
  if (main.totalRows > main.rows.length && main.rows.length >= maxToolRows) {
    return [`These are the first ${writer.count(main.rows.length)} of ${writer.count(main.totalRows)} rows.`];
  }
  const isLong =
    (listing.has(reading.computation.kind) || reading.measures.length > 1 || reading.perGroup !== null) &&
    main.rows.length > shownRows &&
    keyColumns(reading).length > 0;
  return isLong
    ? [`These are the first ${shownRows} of ${writer.count(main.rows.length)} rows. The result contains all rows.`]
    : [];
}
