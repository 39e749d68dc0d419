import type { Reading } from '../reading/reading.js';
import { timeColumn } from '../reading/to-query.js';
import { bucketAt, type CoveredDays, dayAfter } from '../time/date-span.js';
import type { Member } from '../vocabulary/lexicon.js';
import { plainText } from './markdown.js';
import { cellOf, groupWords, labelOf, numberAt, type Result, shownRows, tableOf, type Writer } from './results.js';

/** Returns a table of the running total. If there are too many periods, it contains only the latest. */
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

/** A value is unusual if its distance from the median exceeds this number of standard deviations. */
const threshold = 3;
/**
 * Factors that convert the median and the mean absolute deviation to the standard deviation of a normal distribution.
 */
const perMedian = 1.4826;
const perMean = 1.2533;
/** Minimum number of other values to compare a value with. */
const minValues = 4;
/** Maximum number of unusual values to list. */
const maxListed = 5;

interface Point {
  readonly label: string;
  readonly value: number;
  readonly usual: number;
  /** Maximum distance from the median of a value that is not unusual. */
  readonly margin: number;
}

/**
 * Compares each value with the median of the other values. Daily values are compared with the same weekday only, so
 * that weekly patterns do not count as unusual.
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
  const unit = plainText(reading.grain ?? 'value');
  const kind = isDaily ? 'the same weekday' : `the other ${unit}s`;
  if (last === undefined) {
    const needed = isDaily ? 'values of the same weekday' : `${unit}s`;
    return `There are too few values to find unusual ones. At least ${minValues + 1} ${needed} are required.`;
  }
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

/** Returns the values that have enough other values to compare with. */
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
    // Skip a first or last interval that the data covers only in part.
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

/** Estimates the standard deviation from the median of the distances, or from their mean if that median is zero. */
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
