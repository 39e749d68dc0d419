import type { ReportSnapshot } from '../contract/dashboards.js';
import type { Cell } from '../contract/data.js';
import type { Column, RowSet } from '../contract/row-set.js';
import type { Formatter } from './format.js';

/** How rows become text: the formatter of the viewer's locale, and the report's own column formats. */
export interface Presentation {
  readonly formatter: Formatter;
  readonly preferences?: ReportSnapshot['preferences'];
}

/** Head of one column of a table. */
export interface TableColumn {
  readonly member: string;
  readonly title: string;
  /** Figures stand at the end of their cell, everything else at its start. */
  readonly align: 'start' | 'end';
}

/** A table in query order. Rows are formatted when they are asked for, so that a virtual list pays for what it shows. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rowCount: number;
  /** Texts of one row, in column order; empty beyond the last row. */
  row(index: number): readonly string[];
}

/** Lays rows out as a table of formatted columns. */
export function toTable(rowSet: RowSet, presentation: Presentation): Table {
  const columns = rowSet.columns.map(column => ({
    member: column.member,
    print: columnPrinter(column, presentation),
  }));
  return {
    columns: rowSet.columns.map(column => ({
      member: column.member,
      title: columnTitle(column),
      align: isFigure(column) ? 'end' : 'start',
    })),
    rowCount: rowSet.rows.length,
    row: index => {
      const row = rowSet.rows[index];
      return row ? columns.map(({ member, print }) => print(row[member] ?? null)) : [];
    },
  };
}

/** Heading of a column, as the model names it. */
export function columnTitle({ annotation, member }: Column): string {
  return annotation.shortTitle || annotation.title || member;
}

/** True where the values of a column are numbers. */
export function isFigure({ annotation }: Column): boolean {
  return annotation.type === 'number';
}

/** Prints the cells of a column in the format of the report, else of the model. */
export function columnPrinter(column: Column, presentation: Presentation): (value: Cell) => string {
  const { formatter, preferences } = presentation;
  return formatter.column(column, preferences?.columnFormats?.[column.member]);
}
