import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { ReportData } from '../../report/query/report-data.js';
import { reportTable, selectColumns } from '../../report/table/report-table.js';
import type { Table } from '../../report/table/table.js';
import type { SceneContext } from '../scene-context.js';
import { element, type SvgElement } from '../svg-element.js';
import type { Flow, Strip, TileBody } from '../tile-body.js';
import { type ColumnPart, columnParts } from './column-parts.js';
import { headingStrip, levelStrip, rowStrip } from './draw-rows.js';
import { gridOf } from './grid.js';
import { htmlTable } from './html-table.js';

/** Maximum number of cells of a table. */
const maxTableCells = 60_000;
/** Minimum number of rows of a table, if other tables have used up the cells of the file. */
const minTableRows = 20;

/** Creates the table of a report, with all rows up to the limit. */
export function tableBody(context: SceneContext, snapshot: ReportSnapshot, data: ReportData): TileBody {
  const { formatter, messages, locale } = context;
  const presentation = {
    formatter,
    preferences: snapshot.preferences,
    totalTitle: messages.table.total,
  };
  const table = reportTable(data, snapshot, presentation);
  const rows = printedRows(table, takeRows(context, table));
  const leftOut = table.rowCount - rows.length;
  const count = (value: number) => new Intl.NumberFormat(locale).format(value);
  const notes = [
    ...table.filters,
    ...(table.cut ? [messages.table.cut] : []),
    ...(leftOut > 0 ? [messages.table.leftOut(leftOut, count(leftOut))] : []),
  ];
  return {
    type: 'flow',
    layOut: width => columnParts(context, table, width).map(part => drawPart(context, table, { ...part, rows })),
    html: () => [htmlTable(context, table, rows)],
    description: messages.print.rowsInFile(count(rows.length), count(table.rowCount)),
    notes,
  };
}

/** Returns how many rows of a table the file has space for, and reserves their cells. */
function takeRows({ cells }: SceneContext, { columns, rowCount }: Table): number {
  const width = Math.max(1, columns.length);
  const free = Math.floor(Math.min(maxTableCells, cells.left) / width);
  const rows = Math.min(rowCount, cells.maxRows, Math.max(free, minTableRows));
  cells.left = Math.max(0, cells.left - rows * width);
  return rows;
}

/** Indexes of the rows in a file: the first rows, and the totals. */
function printedRows({ rowCount, totalCount }: Table, maxRows: number): readonly number[] {
  const totals = Math.min(totalCount, maxRows);
  const body = Math.min(rowCount - totalCount, maxRows - totals);
  return [
    ...Array.from({ length: body }, (_, index) => index),
    ...Array.from({ length: totals }, (_, index) => rowCount - totalCount + index),
  ];
}

/** Draws a part of the columns. */
function drawPart(
  context: SceneContext,
  whole: Table,
  { columns, widths, scale, rows }: ColumnPart & { readonly rows: readonly number[] },
): Flow {
  const table = selectColumns(whole, columns);
  const grid = gridOf(context, table, widths);
  const head = [...table.heads.map(level => levelStrip(grid, level)), headingStrip(grid)];
  return {
    head: head.map(strip => scaled(strip, scale)),
    strips: rows.flatMap(index => {
      const strip = rowStrip(grid, index);
      return strip ? [scaled(strip, scale)] : [];
    }),
  };
}

function scaled({ height, nodes, topNodes }: Strip, scale: number): Strip {
  if (scale === 1) return topNodes ? { height, nodes, topNodes } : { height, nodes };
  const apply = (elements: readonly SvgElement[]) => [
    element('g', { transform: `scale(${scale.toFixed(4)})` }, elements),
  ];
  return { height: height * scale, nodes: apply(nodes), ...(topNodes && { topNodes: apply(topNodes) }) };
}
