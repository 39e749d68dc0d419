import type { Row } from '../../contract/data.js';
import type { Column } from '../../contract/row-set.js';
import { rowKey } from '../query/groups.js';
import { isFigure, type TableColumn, type TableHead } from './table.js';
import { defaultColumnSettings, type TableSettings } from './table-settings.js';

/** One value column of a pivot. */
export interface Leaf {
  readonly kind: 'value' | 'total';
  /** The values of the column dimensions; `null` for totals. */
  readonly across: LeafGroup | null;
  /** `null` if measures are in rows. */
  readonly measure: string | null;
  /** Headings from the outermost to the column's own. */
  readonly path: readonly LeafHeading[];
}

/** A combination of values: a row with these values, and their key. */
interface LeafGroup {
  readonly row: Row;
  readonly key: string;
}

interface LeafHeading {
  readonly title: string;
  readonly kind: TableHead['kind'];
  /** Distinguishes headings with the same title. */
  readonly id: string;
}

/** Input for the columns of a pivot. */
export interface Leaves {
  /** Combinations of values of the column dimensions. */
  readonly across: readonly LeafGroup[];
  /** Column dimensions. */
  readonly columns: readonly string[];
  /** Measures in columns; `null` if measures are in rows. */
  readonly measures: readonly string[] | null;
  readonly measuresFirst: boolean;
  readonly withTotals: boolean;
  readonly titleOf: (column: string, row: Row) => string;
  readonly measureTitle: (measure: string) => string;
  readonly totalTitle: string;
}

/**
 * Returns the value columns from left to right. A single measure is the outermost heading, so that it is shown once.
 */
export function leavesOf(leaves: Leaves): readonly Leaf[] {
  const { across, columns, measures, withTotals, totalTitle } = leaves;
  const values = across.map(group => ({
    group,
    headings: columns.map((_, level) => valueHeading(leaves, group.row, level)),
  }));
  const total = {
    group: null,
    headings: columns.map(
      (_, level): LeafHeading => ({
        title: level === 0 ? totalTitle : '',
        kind: 'total',
        id: 'total',
      }),
    ),
  };
  const all = withTotals ? [...values, total] : values;
  const leaf = ({ group, headings }: (typeof all)[number], measure: string | null): Leaf => ({
    kind: group ? 'value' : 'total',
    across: group,
    measure,
    path: withMeasure(leaves, headings, measure),
  });
  if (!measures) return all.map(one => leaf(one, null));
  return isMeasureFirst(leaves)
    ? measures.flatMap(measure => all.map(one => leaf(one, measure)))
    : all.flatMap(one => measures.map(measure => leaf(one, measure)));
}

/** Returns the table columns of these value columns. */
export function leafColumns(
  leaves: readonly Leaf[],
  columns: ReadonlyMap<string, Column>,
  settings: TableSettings,
): TableColumn[] {
  return leaves.map(({ kind, measure, path }): TableColumn => {
    const column = measure === null ? null : (columns.get(measure) ?? null);
    const own = (measure === null ? null : settings.columns.get(measure)) ?? defaultColumnSettings;
    const figure = column === null || isFigure(column);
    const valueKind = figure ? 'figure' : 'text';
    return {
      member: measure ?? '',
      title: path.at(-1)?.title ?? '',
      align: own.align ?? (figure ? 'end' : 'start'),
      kind: kind === 'total' ? 'total' : valueKind,
      settings: own,
    };
  });
}

/** Returns the heading levels above the value columns, after `headerCount` row headers. */
export function leafHeadings(leaves: readonly Leaf[], headerCount: number): TableHead[][] {
  const levels = Math.max(0, (leaves[0]?.path.length ?? 0) - 1);
  return Array.from({ length: levels }, (_, level) => {
    const heads: (TableHead & { span: number })[] = [];
    let before = '';
    leaves.forEach(({ path }, index) => {
      const heading = path[level];
      const id = JSON.stringify(path.slice(0, level + 1).map(step => step.id));
      const last = heads.at(-1);
      if (last && id === before) last.span += 1;
      else
        heads.push({ title: heading?.title ?? '', from: headerCount + index, span: 1, kind: heading?.kind ?? 'value' });
      before = id;
    });
    const corner: TableHead = { title: '', from: 0, span: headerCount, kind: 'corner' };
    return headerCount > 0 ? [corner, ...heads] : heads;
  });
}

function isMeasureFirst({ measures, measuresFirst, columns }: Leaves): boolean {
  return columns.length > 0 && (measuresFirst || measures?.length === 1);
}

function valueHeading({ columns, titleOf }: Leaves, row: Row, level: number): LeafHeading {
  const column = columns[level] ?? '';
  return { title: titleOf(column, row), kind: 'value', id: rowKey(row, [column]) };
}

function withMeasure(leaves: Leaves, headings: readonly LeafHeading[], measure: string | null): readonly LeafHeading[] {
  if (measure === null) return headings;
  const heading: LeafHeading = { title: leaves.measureTitle(measure), kind: 'measure', id: measure };
  return isMeasureFirst(leaves) ? [heading, ...headings] : [...headings, heading];
}
