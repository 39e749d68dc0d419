import type { RowSet } from '../contract/row-set.js';
import { missing } from './format.js';
import { columnPrinter, columnTitle, isFigure, type Presentation } from './table.js';

/** One formatted number and what it counts. */
export interface Kpi {
  readonly label: string;
  /** The figure as it is shown; `∅` where there is none. */
  readonly text: string;
  /** The figure itself, null where there is none or it isn't a number. */
  readonly value: number | null;
}

/** The figure of a KPI: the first measure (else the first number, else the first column) of the first row. */
export function toKpi(rowSet: RowSet, presentation: Presentation): Kpi {
  const { columns, rows } = rowSet;
  const column = columns.find(({ kind }) => kind === 'measure') ?? columns.find(isFigure) ?? columns[0];
  if (!column) return { label: '', text: missing, value: null };
  const cell = rows[0]?.[column.member] ?? null;
  const value = cell === null || cell === '' || typeof cell === 'boolean' ? Number.NaN : Number(cell);
  return {
    label: columnTitle(column),
    text: columnPrinter(column, presentation)(cell),
    value: Number.isFinite(value) ? value : null,
  };
}
