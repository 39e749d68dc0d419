import type { Cell } from '../../../../contract/data.js';
import type { Reading } from '../reading/reading.js';
import { otherSide, timeColumn } from '../reading/to-query.js';
import type { DateSpan } from '../time/date-span.js';
import { isAdditive, type Member } from '../vocabulary/lexicon.js';
import { describeSpan, rowsTitle } from './describe-reading.js';
import { plainText } from './markdown.js';
import { groupWords, labelOf, numberAt, type Result, rowKey, shownRows, tableOf, type Writer } from './results.js';

/** Describes a change as an amount and a percentage. */
export function changeText(measure: Member, now: number | null, before: number | null, writer: Writer): string {
  if (now === null || before === null) return 'change unknown';
  const change = Number((now - before).toPrecision(12));
  const amount = writer.signed(writer.cell(measure.name, String(change)), change);
  return before === 0 ? amount : `${amount}, ${writer.signed(writer.percent(change / Math.abs(before)), change)}`;
}

/** Returns the names of both sides of a comparison: two periods, or two sets of rows. */
function sidesOf(reading: Reading, locale: string): readonly [string, string] | null {
  const { computation } = reading;
  if (computation.kind === 'compare rows')
    return [plainText(rowsTitle(reading)), plainText(rowsTitle(computation.against))];
  const periods = periodsOf(reading, locale);
  return periods && [plainText(periods[0]), plainText(periods[1])];
}

/** Returns the names of two compared periods. */
export function periodsOf({ computation, span }: Reading, locale: string): readonly [string, string] | null {
  if (computation.kind !== 'compare' || span === null) return null;
  return [describeSpan(span, locale), describeSpan(computation.against, locale)];
}

/** Describes totals of two periods or filters: a sentence for one measure, or a table for several measures. */
export function comparedTotals(reading: Reading, main: Result, other: Result, writer: Writer, locale: string): string {
  const sides = sidesOf(reading, locale);
  if (sides === null) return '';
  const [current, earlier] = sides;
  const rows = reading.measures.map((measure, index) => {
    const compared = otherSide(reading)?.measures[index] ?? measure;
    const [now, before] = [numberAt(main, main.rows[0], measure.name), numberAt(other, other.rows[0], compared.name)];
    const shown = (value: number | null) => writer.cell(measure.name, value === null ? null : String(value));
    return [plainText(measure.title), shown(now), shown(before), changeText(measure, now, before, writer)] as const;
  });
  const [only, ...others] = rows;
  const isOfPeriods = reading.computation.kind === 'compare';
  if (only && others.length === 0)
    return isOfPeriods
      ? `${only[0]}: **${only[1]}**, compared with ${only[2]} (${earlier}), a change of **${only[3]}**.`
      : `${only[0]}: **${only[1]}** (${current}), compared with **${only[2]}** (${earlier}), a difference of ${only[3]}.`;
  return `${current}, compared with ${earlier}:\n${tableOf(['Figure', current, earlier, isOfPeriods ? 'Change' : 'Difference'], rows)}`;
}

/** Returns a table of the groups on both sides, sorted by change if the reading ranks the changes. */
export function comparedRows(reading: Reading, main: Result, other: Result, writer: Writer, locale: string): string {
  const [measure] = reading.measures;
  const sides = sidesOf(reading, locale);
  if (measure === undefined || sides === null) return '';
  const pairs = pairsOf(reading, main, other, measure);
  const { computation } = reading;
  const ranking = computation.kind === 'compare' ? computation.ranking : null;
  if (ranking) pairs.sort((a, b) => (ranking === 'desc' ? 1 : -1) * ((b.change ?? 0) - (a.change ?? 0)));
  const rows = pairs.slice(0, shownRows).map(({ label, now, before }) => {
    const cell = (value: number | null) => (value === null ? '–' : writer.cell(measure.name, String(value)));
    return [label(writer), cell(now), cell(before), changeText(measure, now, before, writer)];
  });
  const order = `largest ${ranking === 'asc' ? 'decrease' : 'increase'} first`;
  const lead = `${plainText(measure.title)}, compared${ranking ? `, ${order}` : ''}:`;
  return `${lead}\n${tableOf([groupWords(reading), ...sides, computation.kind === 'compare' ? 'Change' : 'Difference'], rows)}`;
}

interface Pair {
  readonly label: (writer: Writer) => string;
  readonly now: number | null;
  readonly before: number | null;
  readonly change: number | null;
}

/**
 * Joins the rows of both sides by their groups. Rows of two periods that are grouped by time are joined by position.
 */
function pairsOf(reading: Reading, main: Result, other: Result, measure: Member): Pair[] {
  const { computation } = reading;
  const compared = otherSide(reading)?.measures[0] ?? measure;
  const isByPlace = timeColumn(reading) !== null && computation.kind === 'compare';
  const keyOf = (result: Result, row: readonly Cell[], index: number) =>
    isByPlace ? String(index) : rowKey(reading, result, row);
  const [later, earlier] = [main, other].map(
    result => new Map(result.rows.map((row, index) => [keyOf(result, row, index), row])),
  );
  const hasAll =
    computation.kind === 'compare rows' || (computation.kind === 'compare' && computation.ranking !== null);
  const keys = new Set([...(later?.keys() ?? []), ...(hasAll ? (earlier?.keys() ?? []) : [])]);
  // A group without rows on one side counts as zero if the measure is additive.
  const missing = isAdditive(measure) && !isByPlace ? 0 : null;
  return [...keys].map(key => {
    const [row, then] = [later?.get(key), earlier?.get(key)];
    const now = row ? numberAt(main, row, measure.name) : missing;
    const before = then ? numberAt(other, then, compared.name) : missing;
    return {
      label: (writer: Writer) => (row ? labelOf(reading, main, row, writer) : labelOf(reading, other, then, writer)),
      now,
      before,
      change: now === null || before === null ? null : now - before,
    };
  });
}

/** Warns if only one of the two compared periods is complete, because their values are then not comparable. */
export function unfinished({ span, computation }: Reading, today: string, locale: string): string[] {
  if ((computation.kind !== 'compare' && computation.kind !== 'contributions') || span === null) return [];
  const isOver = ({ to }: DateSpan) => to !== null && to.slice(0, 10) < today;
  const [open, ...others] = [span, computation.against].filter(one => !isOver(one));
  if (open === undefined || others.length > 0) return [];
  const other = open === span ? computation.against : span;
  const [part, whole] = [open, other].map(one => plainText(describeSpan(one, locale)));
  return [`${part} isn’t over yet: its data so far is compared with all of ${whole}.`];
}
