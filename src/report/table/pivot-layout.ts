import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { DisplayScale } from '../../contract/report-spec.js';
import type { Column } from '../../contract/row-set.js';
import { isRecord, namesOf, readObject } from './table-settings.js';

const displayScales: readonly DisplayScale[] = ['model', 'absolute', 'thousands', 'millions', 'billions'];

/** Layout of a pivot, as in `PivotItems`. */
export interface PivotItems {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly measures: readonly string[];
  readonly scale: DisplayScale;
  readonly measuresAxis: 'columns' | 'rows';
  readonly measuresPosition: 'before' | 'after';
  readonly rowTotals: boolean;
  readonly columnTotals: boolean;
  /** True to show the filters of the report above the table. */
  readonly showFilters: boolean;
}

/** Columns of the rows by their role in a pivot. */
export interface PivotLayout {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly measures: readonly string[];
}

/** Returns the pivot layout of a report's table; `null` if the table is not a pivot. */
export function pivotItems(snapshot: ReportSnapshot | null): PivotItems | null {
  if (snapshot?.kind !== 'table') return null;
  const given = readObject(snapshot.spec).pivotItems ?? snapshot.meta?.pivotItems;
  if (!isRecord(given)) return null;
  const { displayScale, measuresAxis, measuresPosition, showRowTotals, showColumnTotals, showAppliedFilters } = given;
  const [rows, columns, measures] = [given.rows, given.columns, given.measures].map(namesOf);
  if (!rows || !columns || !measures || rows.length + columns.length + measures.length === 0) return null;
  return {
    rows,
    columns,
    measures,
    scale: displayScales.find(scale => scale === displayScale) ?? 'model',
    measuresAxis: measuresAxis === 'rows' ? 'rows' : 'columns',
    measuresPosition: measuresPosition === 'before' ? 'before' : 'after',
    rowTotals: showRowTotals === true,
    columnTotals: showColumnTotals === true,
    showFilters: showAppliedFilters === true,
  };
}

/**
 * Finds the columns that a pivot names, by column or member name. Other groups become row headers, because several of
 * their values would otherwise share one cell. Without named measures all measures are shown; comparisons follow their
 * measure.
 */
export function pivotLayout(
  { rows, columns, measures }: Pick<PivotItems, 'rows' | 'columns' | 'measures'>,
  shown: readonly Pick<Column, 'member' | 'kind' | 'comparison'>[],
): PivotLayout {
  const groups = shown.filter(({ kind }) => kind !== 'measure').map(({ member }) => member);
  const across = found(columns, groups);
  const down = found(rows, groups).filter(member => !across.includes(member));
  const others = groups.filter(member => !across.includes(member) && !down.includes(member));
  const figures = shown.filter(({ kind }) => kind === 'measure');
  const named = found(
    measures,
    figures.map(({ member }) => member),
  );
  const chosen = named.length > 0 ? named : figures.filter(({ comparison }) => !comparison).map(({ member }) => member);
  const compared = (measure: string) =>
    figures.filter(({ comparison }) => comparison?.measure === measure).map(({ member }) => member);
  return {
    rows: [...down, ...others],
    columns: across,
    measures: [...new Set(chosen.flatMap(member => [member, ...compared(member)]))],
  };
}

/** Returns the groupings for which a pivot needs totals. */
export function pivotTotals(items: PivotItems, { rows, columns }: PivotLayout): (readonly string[])[] {
  const overColumns = items.rowTotals && columns.length > 0;
  const overRows = items.columnTotals && rows.length > 0;
  return [...(overColumns ? [rows] : []), ...(overRows ? [columns] : []), ...(overColumns && overRows ? [[]] : [])];
}

function found(names: readonly string[], members: readonly string[]): string[] {
  const one = (name: string) => members.find(member => member === name) ?? members.find(member => isOf(member, name));
  return [...new Set(names.flatMap(name => one(name) ?? []))];
}

/** True if a member is a column of a time dimension, such as `orders.date.month` of `orders.date`. */
function isOf(member: string, name: string): boolean {
  return name.includes('.') && member.startsWith(`${name}.`);
}
