import { maxToolRows } from '../../../../contract/chat.js';
import type { Cell } from '../../../../contract/data.js';
import type { Formatter } from '../../../../report/format/format.js';
import { ChartKind, type Reading } from '../reading/reading.js';
import { isShareOfPart, timeColumn } from '../reading/to-query.js';
import { type DateSpan, monthsFrom } from '../time/date-span.js';
import { type Member, withoutBrackets } from '../vocabulary/lexicon.js';
import { describeReading, describeSpan } from './describe-reading.js';
import { plainText } from './markdown.js';
import { keyColumns, type Result, type Writer, writerOf } from './results.js';

/** Input for the text of an answer. */
export interface AnswerInput {
  readonly reading: Reading;
  /** Results in query order. */
  readonly results: readonly Result[];
  readonly locale: string;
  /** Formatter for `locale`. */
  readonly formatter: Formatter;
  /** First and last day with data, if a period has no rows. */
  readonly days: { readonly first: string; readonly last: string } | null;
  /** Current day in the caller's time zone (`YYYY-MM-DD`). */
  readonly today: string;
}

/** Returns the answer in Markdown. Every figure is taken or derived from a result. */
export function answerOf(answered: AnswerInput): string {
  const { reading, locale } = answered;
  const paragraphs = [
    figuresOf(answered),
    ...notesOf(answered),
    ...unfinished(answered),
    `Understood as: ${describeReading(reading, locale)}.`,
  ];
  return paragraphs.filter(text => text !== '').join('\n\n');
}

function figuresOf(answered: AnswerInput): string {
  const { reading, results, locale, formatter } = answered;
  const [main, other] = results;
  if (main === undefined) return '';
  const writer = writerOf(reading, formatter);
  const isGrouped = keyColumns(reading).length > 0;
  if (isEmpty(main, reading)) return emptyText(answered);
  if (reading.measures.length === 0) return listText(reading, main, writer);
  if (reading.beside.kind === 'compare' && other) {
    return isGrouped
      ? comparedRows(reading, main, other, writer, locale)
      : comparedTotals(reading, main, other, writer, locale);
  }
  if (reading.beside.kind === 'share' && other)
    return isGrouped ? sharedRows(reading, main, other, writer) : sharedTotal(reading, main, other, writer);
  if (!isGrouped) return totals(reading, main, writer);
  if (reading.measures.length > 1) return figureRows(reading, main, writer);
  return timeColumn(reading) && reading.dimensions.length === 0 && reading.order === null
    ? trendText(reading, main, writer)
    : rankedText(reading, main, writer);
}

function cellOf(result: Result, row: readonly Cell[] | undefined, member: string): Cell {
  return row?.[result.indexOf(member)] ?? null;
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

/** States which days the data cover, and the question for the latest month. */
export function noDataText(
  reading: Reading,
  { first, last }: { readonly first: string; readonly last: string },
  locale: string,
): string {
  const covered = plainText(describeSpan({ from: first, to: last }, locale));
  const [year, month] = last.split('-').map(Number);
  const latest = describeSpan(monthsFrom(year ?? 0, month ?? 1, 1), 'en');
  const about = withoutBrackets((reading.measures[0] ?? reading.dimensions[0])?.title ?? '');
  return `There is **no data** for this period. Your data covers ${covered}. Ask for a period within it, for example “${plainText(`${about} in ${latest}`)}”.`;
}

function totals(reading: Reading, result: Result, writer: Writer): string {
  const [row] = result.rows;
  return reading.measures
    .map(({ name, title }) => `${plainText(title)}: **${writer.cell(name, cellOf(result, row, name))}**`)
    .join(', ')
    .concat('.');
}

function labelOf(reading: Reading, result: Result, row: readonly Cell[] | undefined, writer: Writer): string {
  return keyColumns(reading)
    .map(key => writer.cell(key, cellOf(result, row, key)))
    .join(' / ');
}

function groupWords({ grain, dimensions }: Reading): string {
  return plainText([...(grain ? [grain] : []), ...dimensions.map(({ title }) => title)].join(' and '));
}

function listText(reading: Reading, result: Result, writer: Writer): string {
  if (reading.chart === ChartKind.scatter)
    return `**${writer.count(result.totalRows)}** ${result.totalRows === 1 ? 'combination' : 'different combinations'} of ${groupWords(reading)}.`;
  const shown = result.rows.slice(0, 10).map(row => labelOf(reading, result, row, writer));
  const more = result.totalRows > shown.length ? ' …' : '.';
  return `${groupWords(reading)}: **${writer.count(result.totalRows)}** different ${result.totalRows === 1 ? 'value' : 'values'}: ${shown.join(', ')}${more}`;
}

/** Describes the first rows in words. The table or chart contains all of them. */
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
  // If rows were omitted, neither the last nor the highest value is known.
  if (result.totalRows > result.rows.length) return `${title}: starts at ${point(known[0])} …`;
  return `${title}: from ${point(known[0])} to ${point(known.at(-1))}; highest ${point(bySize[0])}, lowest ${point(bySize.at(-1))}.`;
}

/** Returns a table of several figures per group. */
function figureRows(reading: Reading, result: Result, writer: Writer): string {
  const head = [groupWords(reading), ...reading.measures.map(({ title }) => plainText(title))];
  const rows = result.rows.slice(0, shownRows).map(row => {
    const cells = reading.measures.map(({ name }) => writer.cell(name, cellOf(result, row, name)));
    return `| ${[labelOf(reading, result, row, writer), ...cells].join(' | ')} |`;
  });
  return [
    `${head.slice(1).join(' and ')} by ${groupWords(reading)}:`,
    '',
    `| ${head.join(' | ')} |`,
    `| ${head.map((_, at) => (at === 0 ? ':--' : '--:')).join(' | ')} |`,
    ...rows,
  ].join('\n');
}

function numberAt(result: Result, row: readonly Cell[] | undefined, member: string): number | null {
  const cell = cellOf(result, row, member);
  const number = cell === null || cell === '' ? Number.NaN : Number(cell);
  return Number.isFinite(number) ? number : null;
}

function changeText(measure: Member, now: number | null, before: number | null, writer: Writer): string {
  if (now === null || before === null) return 'change unknown';
  const change = Number((now - before).toPrecision(12));
  const amount = writer.signed(writer.cell(measure.name, String(change)), change);
  return before === 0 ? amount : `${amount}, ${writer.signed(writer.percent(change / Math.abs(before)), change)}`;
}

function comparedTotals(reading: Reading, main: Result, other: Result, writer: Writer, locale: string): string {
  const against = reading.beside.kind === 'compare' ? plainText(describeSpan(reading.beside.against, locale)) : '';
  return reading.measures
    .map(measure => {
      const [now, before] = [main, other].map(result => numberAt(result, result.rows[0], measure.name));
      const shown = (result: Result) => writer.cell(measure.name, cellOf(result, result.rows[0], measure.name));
      return `${plainText(measure.title)}: **${shown(main)}**, compared with ${shown(other)} (${against}): **${changeText(measure, now ?? null, before ?? null, writer)}**.`;
    })
    .join('\n\n');
}

const shownRows = 20;

function comparedRows(reading: Reading, main: Result, other: Result, writer: Writer, locale: string): string {
  const [measure] = reading.measures;
  if (measure === undefined || reading.beside.kind !== 'compare' || reading.span === null) return '';
  const isByPlace = timeColumn(reading) !== null;
  const keyOf = (result: Result, row: readonly Cell[], index: number) =>
    isByPlace ? String(index) : JSON.stringify(keyColumns(reading).map(key => cellOf(result, row, key)));
  const before = new Map(other.rows.map((row, index) => [keyOf(other, row, index), row]));
  const rows = main.rows.slice(0, shownRows).map((row, index) => {
    const then = before.get(keyOf(main, row, index));
    const change = changeText(
      measure,
      numberAt(main, row, measure.name),
      then ? numberAt(other, then, measure.name) : null,
      writer,
    );
    const cells = [
      labelOf(reading, main, row, writer),
      writer.cell(measure.name, cellOf(main, row, measure.name)),
      then ? writer.cell(measure.name, cellOf(other, then, measure.name)) : '–',
      change,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = [
    groupWords(reading),
    plainText(describeSpan(reading.span, locale)),
    plainText(describeSpan(reading.beside.against, locale)),
    'Change',
  ];
  return [
    `${plainText(measure.title)}, compared:`,
    '',
    `| ${head.join(' | ')} |`,
    '| :-- | --: | --: | --: |',
    ...rows,
  ].join('\n');
}

function sharedTotal(reading: Reading, part: Result, whole: Result, writer: Writer): string {
  const [measure] = reading.measures;
  if (measure === undefined) return '';
  const [some, all] = [part, whole].map(result => numberAt(result, result.rows[0], measure.name));
  if (some == null || all == null || all === 0)
    return `The total of ${plainText(measure.title)} is zero or unknown, so there is no share.`;
  const shown = (result: Result) => writer.cell(measure.name, cellOf(result, result.rows[0], measure.name));
  return `**${writer.percent(some / all)}** of ${plainText(measure.title)}: ${shown(part)} of ${shown(whole)}.`;
}

function sharedRows(reading: Reading, parts: Result, whole: Result, writer: Writer): string {
  const [measure] = reading.measures;
  const isPerGroup = isShareOfPart(reading);
  const keyOf = (result: Result, row: readonly Cell[]) =>
    JSON.stringify(keyColumns(reading).map(key => cellOf(result, row, key)));
  const wholes = new Map(whole.rows.map(row => [isPerGroup ? keyOf(whole, row) : '', row]));
  const wholeRow = (row: readonly Cell[]) => wholes.get(isPerGroup ? keyOf(parts, row) : '');
  const [first] = parts.rows;
  if (measure === undefined || first === undefined) return 'The total is zero or unknown, so there is no share.';
  const shareOf = (row: readonly Cell[]) => {
    const [some, all] = [numberAt(parts, row, measure.name), numberAt(whole, wholeRow(row), measure.name)];
    return some === null || all === null || all === 0 ? '–' : writer.percent(some / all);
  };
  const cell = (result: Result, row: readonly Cell[] | undefined) =>
    writer.cell(measure.name, cellOf(result, row, measure.name));
  const rows = parts.rows.slice(0, shownRows).map(row => {
    const cells = [labelOf(reading, parts, row, writer), cell(parts, row)];
    return `| ${[...cells, ...(isPerGroup ? [cell(whole, wholeRow(row))] : []), shareOf(row)].join(' | ')} |`;
  });
  const title = plainText(measure.title);
  const total = isPerGroup ? 'all in the same group' : `**${cell(whole, whole.rows[0])}** in total`;
  const lead = `${title} by ${groupWords(reading)}, of ${total}. ${labelOf(reading, parts, first, writer)} has **${shareOf(first)}**.`;
  const head = [groupWords(reading), title, ...(isPerGroup ? ['All'] : []), 'Share'];
  return [
    lead,
    '',
    `| ${head.join(' | ')} |`,
    `| ${head.map((_, at) => (at === 0 ? ':--' : '--:')).join(' | ')} |`,
    ...rows,
  ].join('\n');
}

/** Warns if only one of the two compared periods is complete, because their figures are then not comparable. */
function unfinished({ reading: { span, beside }, results, today, locale }: AnswerInput): string[] {
  if (beside.kind !== 'compare' || span === null || results.length < 2) return [];
  const isOver = ({ to }: DateSpan) => to !== null && to.slice(0, 10) < today;
  const [open, ...others] = [span, beside.against].filter(one => !isOver(one));
  if (open === undefined || others.length > 0) return [];
  const other = open === span ? beside.against : span;
  const [part, whole] = [open, other].map(one => plainText(describeSpan(one, locale)));
  return [`${part} isn’t over yet: its data so far is compared with all of ${whole}.`];
}

function notesOf({ reading, results, formatter }: AnswerInput): string[] {
  const [main] = results;
  if (main === undefined) return [];
  const writer = writerOf(reading, formatter);
  if (main.totalRows > main.rows.length && main.rows.length >= maxToolRows) {
    return [`These are the first ${writer.count(main.rows.length)} of ${writer.count(main.totalRows)} rows.`];
  }
  const isLong =
    (reading.beside.kind !== 'nothing' || reading.measures.length > 1) &&
    main.rows.length > shownRows &&
    keyColumns(reading).length > 0;
  return isLong
    ? [`These are the first ${shownRows} of ${writer.count(main.rows.length)} rows. The result contains all of them.`]
    : [];
}
