import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { compareByOrder } from '../format/compare.js';
import { missing } from '../format/format.js';
import { toNumber } from '../format/numeric-value.js';
import { cellOf } from '../query/groups.js';
import { groupKey, type ReportData } from '../query/report-data.js';
import { figureAt, measuresOf, namedColumn } from '../table/report-columns.js';
import { columnPrinter, columnTitle, isFigure, type Presentation } from '../table/table.js';
import { readObject } from '../table/table-settings.js';

/** Offset of an earlier period; `other` is a unit without a translation. */
export interface KpiOffset {
  readonly amount: number;
  readonly unit: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'other';
}

/** Meaning of a change for the reader. */
export type KpiTone = 'good' | 'bad' | 'neutral';

/** Change in comparison with another value. */
export interface KpiChange {
  readonly direction: 'up' | 'down' | 'none';
  /** Formatted change with sign; `null` if there is nothing to compare with. */
  readonly text: string | null;
  readonly tone: KpiTone;
  /** The compared value: an earlier period, or a column with this title. */
  readonly against: KpiOffset | string;
}

/**
 * Icons in a box of 12 by 12, by direction and by the meaning of the change: an arrow with a stem is good, a solid
 * triangle is bad, a chevron is neither. The shapes are distinguishable without color, and a sign and text accompany
 * them.
 */
export const changeIcons: Readonly<Record<KpiTone, Readonly<Record<KpiChange['direction'], string>>>> = {
  good: { up: 'M6 10.5V2M2.5 5.5 6 2 9.5 5.5', down: 'M6 1.5V10M2.5 6.5 6 10 9.5 6.5', none: 'M2 6H10' },
  bad: { up: 'M6 2.5 10.5 9.5H1.5Z', down: 'M6 9.5 10.5 2.5H1.5Z', none: 'M2 6H10' },
  neutral: { up: 'M2 8 6 3.5 10 8', down: 'M2 4 6 8.5 10 4', none: 'M2 6H10' },
};

/** Progress toward a target. */
export interface KpiProgress {
  /** Share of the target, 1 for 100%; `null` without a target or value. */
  readonly share: number | null;
  readonly percent: string;
  readonly target: string;
  readonly tone: KpiTone;
}

/** The value over time. */
export interface KpiTrend {
  /** Values in order of time; `null` for missing values. */
  readonly figures: readonly (number | null)[];
  readonly from: string;
  readonly to: string;
  readonly lowest: string;
  readonly highest: string;
}

/** A formatted number with its label. */
export interface Kpi {
  readonly label: string;
  /** The formatted value; `∅` if there is none. */
  readonly text: string;
  /** The value; `null` if there is none or it is not a number. */
  readonly value: number | null;
  /** The column of the value; `null` if there is none. */
  readonly column: Column | null;
  readonly change: KpiChange | null;
  readonly progress: KpiProgress | null;
  readonly trend: KpiTrend | null;
}

/** Input of `toKpi`. */
export interface KpiSource {
  readonly snapshot: Pick<ReportSnapshot, 'spec'>;
  readonly data: ReportData;
  readonly presentation: Presentation;
  /** BCP 47 tag for formatting shares. */
  readonly locale: string;
}

type Spec = Readonly<Record<string, unknown>>;

/** The displayed value and its row. */
interface Subject {
  readonly column: Column;
  readonly row: Row | null;
  readonly value: number | null;
}

const units: readonly string[] = ['day', 'week', 'month', 'quarter', 'year'] satisfies KpiOffset['unit'][];
const maxPoints = 10_000;

/**
 * Returns the KPI of a report (`KpiSpec`). The column is `measure`, otherwise the first measure, the first numeric
 * column or the first column. The value is that of the first row; for a comparison, that of the latest period; for a
 * sparkline, the total, or the latest value if there is no total.
 * @throws DrawingError if the specification names a column that does not exist.
 */
export function toKpi({ snapshot, data, presentation, locale }: KpiSource): Kpi {
  const { rowSet } = data;
  const spec = readObject(snapshot.spec);
  const column = namedColumn(rowSet, spec, 'measure') ?? measuresOf(rowSet)[0] ?? rowSet.columns[0];
  const label = typeof spec.label === 'string' && spec.label !== '' ? spec.label.slice(0, 200) : null;
  const bare = { change: null, progress: null, trend: null };
  if (!column) return { ...bare, label: label ?? '', text: missing, value: null, column: null };
  const rows = spec.display === 'comparison' || spec.display === 'sparkline' ? byTime(rowSet) : rowSet.rows;
  const cell = cellShown(spec, column, rows, data);
  const row = (spec.display === 'comparison' ? rows.at(-1) : rows[0]) ?? null;
  const subject = { column, row, value: toNumber(cell) };
  const printed = { rowSet, spec, presentation, locale };
  return {
    label: label ?? columnTitle(column),
    text: columnPrinter(column, presentation)(cell),
    value: subject.value,
    column,
    change: spec.display === 'comparison' ? changeOf(subject, printed) : null,
    progress: spec.display === 'progress' ? progressOf(subject, printed) : null,
    trend: spec.display === 'sparkline' ? trendOf(column, rows, printed) : null,
  };
}

interface Printed {
  readonly rowSet: RowSet;
  readonly spec: Spec;
  readonly presentation: Presentation;
  readonly locale: string;
}

function cellShown({ display }: Spec, { member }: Column, rows: readonly Row[], { totals }: ReportData): Cell {
  const first = display === 'comparison' ? rows.at(-1) : rows[0];
  if (display !== 'sparkline') return first ? cellOf(first, member) : null;
  const total = totals.get(groupKey([]))?.rows[0];
  const whole = total ? cellOf(total, member) : null;
  const latest = rows.findLast(row => cellOf(row, member) !== null);
  return whole ?? (latest ? cellOf(latest, member) : null);
}

/** Sorts rows by time if there is a time column; times sort lexically. */
function byTime(rowSet: RowSet): readonly Row[] {
  const time = timeOf(rowSet);
  const rows = rowSet.rows.slice(0, maxPoints);
  if (!time) return rows;
  const at = (row: Row) => String(cellOf(row, time.member) ?? '');
  return rows.sort((a, b) => compareByOrder(at(a), at(b)));
}

function timeOf({ columns }: RowSet): Column | null {
  return (
    columns.find(({ kind }) => kind === 'timeDimension') ??
    columns.find(({ annotation }) => annotation.type === 'time') ??
    null
  );
}

/** Columns of a comparison. */
interface Compared {
  readonly value?: Column | null | undefined;
  readonly share?: Column | null | undefined;
  readonly change?: Column | null | undefined;
}

/** Returns the change from the relative change if there is one, otherwise from the two values. */
function changeOf({ column, row, value }: Subject, printed: Printed): KpiChange | null {
  const { rowSet, spec } = printed;
  const named = namedColumn(rowSet, spec, 'comparison');
  const columns = comparedColumns(column, named, rowSet);
  const head = named ?? columns.share ?? columns.value ?? columns.change;
  if (!head || !row) return null;
  const before = figureAt(row, columns.value ?? null);
  const share = figureAt(row, columns.share ?? null) ?? shareOf(value, before);
  const change = figureAt(row, columns.change ?? null) ?? (value === null || before === null ? null : value - before);
  const sign = Math.sign(share ?? change ?? 0);
  return {
    direction: directionOf(sign),
    tone: toneOf(sign, spec),
    text: changeText({ column, share, change }, printed),
    against: head.comparison ? offsetOf(head.comparison) : columnTitle(head),
  };
}

/** Returns the named column, otherwise all columns that compare the measure with an earlier period. */
function comparedColumns(column: Column, named: Column | null, { columns }: RowSet): Compared {
  if (named && !named.comparison) return { value: named };
  const candidates = named ? [named] : columns.filter(({ comparison }) => comparison?.measure === column.member);
  const ofOutput = (output: string) => candidates.find(({ comparison }) => comparison?.output === output);
  return { value: ofOutput('value'), share: ofOutput('relativeChange'), change: ofOutput('absoluteChange') };
}

function changeText(
  { column, share, change }: { readonly column: Column; readonly share: number | null; readonly change: number | null },
  { presentation, locale }: Printed,
): string | null {
  if (share !== null) return signedShare(share, locale);
  return change === null ? null : printSigned(change, columnPrinter(column, presentation));
}

/** Returns the relative change; `null` if the earlier value is missing or zero. */
function shareOf(value: number | null, before: number | null): number | null {
  return value === null || before === null || before === 0 ? null : (value - before) / Math.abs(before);
}

function printSigned(change: number, print: (value: Cell) => string): string {
  return `${change > 0 ? '+' : ''}${print(change)}`;
}

function signedShare(share: number, locale: string): string {
  const format = {
    style: 'percent',
    maximumFractionDigits: Math.abs(share) < 1 ? 1 : 0,
    signDisplay: 'exceptZero',
  } as const;
  // Uses the minus sign of other numbers; `Intl` uses a hyphen in most languages.
  return new Intl.NumberFormat(locale, format).format(share).replace('-', '\u2212');
}

function directionOf(sign: number): 'up' | 'down' | 'none' {
  if (sign > 0) return 'up';
  return sign < 0 ? 'down' : 'none';
}

function toneOf(sign: number, { better }: Spec): KpiTone {
  if (better === 'neither') return 'neutral';
  const improvement = better === 'less' ? -sign : sign;
  if (improvement > 0) return 'good';
  return improvement < 0 ? 'bad' : 'neutral';
}

/**
 * Returns the tone of a value compared with its target. A value below a limit is neutral, and so is a value that has
 * not reached its target yet.
 */
function targetTone(past: number, spec: Spec): KpiTone {
  if (spec.better === 'less') return past > 0 ? 'bad' : 'neutral';
  return past >= 0 ? toneOf(1, spec) : 'neutral';
}

function offsetOf({ amount, unit }: NonNullable<Column['comparison']>): KpiOffset {
  return { amount, unit: isUnit(unit) ? unit : 'other' };
}

function isUnit(unit: string): unit is KpiOffset['unit'] {
  return units.includes(unit);
}

function progressOf({ column, row, value }: Subject, { rowSet, spec, presentation, locale }: Printed): KpiProgress {
  const named =
    typeof spec.target === 'string' && toNumber(spec.target) === null ? namedColumn(rowSet, spec, 'target') : null;
  const given = typeof spec.target === 'number' || typeof spec.target === 'string' ? toNumber(spec.target) : null;
  const target = named && row ? figureAt(row, named) : given;
  const share = target === null || target <= 0 || value === null ? null : value / target;
  const past = share === null ? 0 : Math.sign(share - 1);
  return {
    share,
    percent:
      share === null ? '' : new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share),
    target: target === null ? '' : columnPrinter(column, presentation)(target),
    tone: share === null ? 'neutral' : targetTone(past, spec),
  };
}

function trendOf(column: Column, rows: readonly Row[], { rowSet, presentation }: Printed): KpiTrend | null {
  const figures = rows.map(row => figureAt(row, column));
  const known = figures.filter(figure => figure !== null);
  if (known.length < 2) return null;
  const print = columnPrinter(column, presentation);
  const time = timeOf(rowSet) ?? rowSet.columns.find(other => !isFigure(other));
  const at = (row: Row | undefined) => (time && row ? columnPrinter(time, presentation)(cellOf(row, time.member)) : '');
  const [lowest, highest] = known.reduce(
    ([min, max], figure) => [Math.min(min, figure), Math.max(max, figure)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return { figures, from: at(rows[0]), to: at(rows.at(-1)), lowest: print(lowest), highest: print(highest) };
}

const maxSteps = 200;

/**
 * Returns a line through values as an SVG path in a box of 100 by 30, with gaps for missing values. If there are many
 * values, each step contains its minimum and maximum, so that no peak is lost.
 */
export function trendPath({ figures }: Pick<KpiTrend, 'figures'>): string {
  const known = figures.filter(figure => figure !== null);
  const min = known.reduce((low, figure) => Math.min(low, figure), Number.POSITIVE_INFINITY);
  const max = known.reduce((high, figure) => Math.max(high, figure), Number.NEGATIVE_INFINITY);
  const half = max / 2 - min / 2;
  const top = (figure: number) => (half > 0 ? 29 - ((figure / 2 - min / 2) / half) * 28 : 15);
  const left = (index: number) => (index / Math.max(1, figures.length - 1)) * 100;
  let path = '';
  let isGap = true;
  for (const index of sparklineIndexes(figures)) {
    const figure = figures[index];
    if (figure === null || figure === undefined) isGap = true;
    else {
      path += `${isGap ? 'M' : 'L'}${left(index).toFixed(1)},${top(figure).toFixed(1)}`;
      isGap = false;
    }
  }
  return path;
}

/** Returns the indexes to draw: all, or for each step the minimum, the maximum and the first gap. */
function sparklineIndexes(figures: readonly (number | null)[]): readonly number[] {
  if (figures.length <= maxSteps * 2) return figures.map((_, index) => index);
  const size = figures.length / maxSteps;
  return Array.from({ length: maxSteps }, (_, step) => {
    const [from, to] = [Math.floor(step * size), Math.floor((step + 1) * size)];
    let [low, high, gap] = [-1, -1, -1];
    for (let index = from; index < to; index++) {
      const figure = figures[index] ?? null;
      if (figure === null) gap = gap < 0 ? index : gap;
      else {
        if (low < 0 || figure < (figures[low] ?? 0)) low = index;
        if (high < 0 || figure > (figures[high] ?? 0)) high = index;
      }
    }
    return [...new Set([low, high, gap])].filter(index => index >= 0).sort((a, b) => a - b);
  }).flat();
}
