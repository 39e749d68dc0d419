import type { Reading } from '../reading/reading.js';
import { timeColumn } from '../reading/to-query.js';
import { bucketAt, type CoveredDays, dayAfter } from '../time/date-span.js';
import type { Member } from '../vocabulary/lexicon.js';
import { plainText } from './markdown.js';
import { cellOf, groupWords, labelOf, numberAt, type Result, shownRows, tableOf, type Writer } from './results.js';

/** Returns a table of the sums so far, with the latest periods if there are too many. */
export function runningTotals(reading: Reading, result: Result, writer: Writer): string {
  const titles = reading.measures.map(({ title }) => plainText(title));
  const sums = reading.measures.map(() => 0);
  const rows = result.rows.map(row => [
    labelOf(reading, result, row, writer),
    ...reading.measures.flatMap(({ name }, at) => {
      const sum = Number(((sums[at] ?? 0) + (numberAt(result, row, name) ?? 0)).toPrecision(12));
      sums[at] = sum;
      return [writer.cell(name, cellOf(result, row, name)), writer.cell(name, String(sum))];
    }),
  ]);
  const last = rows.at(-1);
  const lead = titles
    .map((title, at) => `${title}: **${last?.[2 * at + 2] ?? ''}** up to ${last?.[0] ?? ''}`)
    .join(', ');
  const head = [groupWords(reading), ...titles.flatMap(title => [title, `${title}, running total`])];
  return `${lead}.\n${tableOf(head, rows.slice(-shownRows))}`;
}

/** A value is unusual if it is more than this many standard deviations from the median. */
const threshold = 3;
/** Factors from the median and the mean absolute deviation to the standard deviation of a normal distribution. */
const perMedian = 1.4826;
const perMean = 1.2533;
/** Minimum number of earlier values to call one unusual. */
const minValues = 4;
/** Maximum number of unusual values to list. */
const maxListed = 5;

interface Point {
  readonly label: string;
  readonly value: number;
  readonly usual: number;
  /** Distance that is still usual. */
  readonly margin: number;
}

/**
 * Compares each value with the median of the others: of the same weekday if the values are days, so that a weekly
 * pattern is not unusual.
 */
export function unusualValues(
  reading: Reading,
  result: Result,
  { writer, days }: { readonly writer: Writer; readonly days: CoveredDays | null },
): string {
  const [measure] = reading.measures;
  if (measure === undefined) return '';
  const isDaily = reading.grain === 'day';
  const points = pointsOf(reading, result, measure, { writer, days });
  const last = points.at(-1);
  const kind = isDaily ? 'the same weekday' : `the other ${plainText(reading.grain ?? 'value')}s`;
  if (last === undefined)
    return `There are too few values to find unusual ones: at least ${minValues + 1} of ${kind} are required.`;
  const cell = (value: number) => writer.cell(measure.name, String(Number(value.toPrecision(4))));
  const isUnusual = ({ value, usual, margin }: Point) => Math.abs(value - usual) > margin;
  const state = isUnusual(last) ? 'unusual' : 'usual';
  const lead = `${plainText(measure.title)}: the last value, **${cell(last.value)}** (${last.label}), is **${state}**. The median of ${kind} is ${cell(last.usual)}.`;
  const rule = `A value counts as unusual if it differs from that median by more than ${threshold} standard deviations (${cell(last.margin)} for the last value), estimated by the median absolute deviation.`;
  const found = points
    .filter(isUnusual)
    .toSorted((a, b) => Math.abs(b.value - b.usual) / b.margin - Math.abs(a.value - a.usual) / a.margin);
  if (found.length === 0) return `${lead} None of ${points.length} values is unusual.\n\n${rule}`;
  const rows = found.slice(0, maxListed).map(({ label, value, usual }) => {
    return [label, cell(value), cell(usual), writer.signed(cell(value - usual), value - usual)];
  });
  const count = `${found.length} of ${points.length} values ${found.length === 1 ? 'is' : 'are'} unusual${found.length > maxListed ? `; the ${maxListed} most unusual ones` : ''}:`;
  return `${lead} ${count}\n${tableOf([groupWords(reading), plainText(measure.title), 'Usual', 'Difference'], rows)}\n\n${rule}`;
}

/** Returns the values that can be compared with enough others. */
function pointsOf(
  reading: Reading,
  result: Result,
  measure: Member,
  { writer, days }: { readonly writer: Writer; readonly days: CoveredDays | null },
): Point[] {
  const column = timeColumn(reading) ?? '';
  const values = result.rows.flatMap(row => {
    const [start, value] = [cellOf(result, row, column), numberAt(result, row, measure.name)];
    if (typeof start !== 'string' || value === null) return [];
    // The first and last interval may be incomplete.
    const [begin, end] = bucketAt(start, reading.grain ?? '') ?? [];
    if (days && begin && end && (begin < days.first || end > days.last)) return [];
    return [
      { label: labelOf(reading, result, row, writer), season: reading.grain === 'day' ? weekdayOf(start) : 0, value },
    ];
  });
  return values.flatMap((point, at) => {
    const others = values.filter(({ season }, index) => season === point.season && index !== at);
    if (others.length < minValues) return [];
    const usual = median(others.map(({ value }) => value));
    return [{ ...point, usual, margin: threshold * deviationOf(others.map(({ value }) => Math.abs(value - usual))) }];
  });
}

/** Estimates the standard deviation from the distances to the median; from their mean if most of them are zero. */
function deviationOf(distances: readonly number[]): number {
  const middle = median(distances);
  if (middle > 0) return perMedian * middle;
  return (perMean * distances.reduce((sum, one) => sum + one, 0)) / distances.length;
}

function weekdayOf(start: string): number {
  return new Date(`${dayAfter(start, 0)}T00:00:00Z`).getUTCDay();
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = low] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return (low + high) / 2;
}
