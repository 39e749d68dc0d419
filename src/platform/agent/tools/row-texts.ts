import type { DataQueryResult } from '../../../contract/chat.js';
import type { Cell } from '../../../contract/data.js';
import type { Column, RowSet } from '../../../contract/row-set.js';
import { columnTitle } from '../../../report/table.js';
import { shortened } from './read-input.js';

/** Most characters of one cell, and of all cells together. */
const most = { cell: 500, cells: 200_000 } as const;

/** Rows as text, in the order of the columns. Rows beyond what a result may hold are left out: `totalRows` tells of them. */
export function dataOf({ columns, rows }: RowSet): DataQueryResult['data'] {
  const data: (string | null)[][] = [];
  let characters = 0;
  for (const row of rows) {
    const texts = columns.map(({ member }) => textOf(row[member]));
    characters += texts.reduce((sum, text) => sum + (text?.length ?? 0) + 4, 0);
    if (characters > most.cells) break;
    data.push(texts);
  }
  return data;
}

function textOf(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : shortened(String(cell), most.cell);
}

/** What the columns hold, in the words of the Chat API. */
export function schemaOf({ columns, rows }: RowSet): DataQueryResult['schema'] {
  return columns.map(column => ({
    name: column.member,
    column_type: typeOf(
      column,
      rows.map(row => row[column.member]),
    ),
    title: columnTitle(column),
    ...formatOf(column),
  }));
}

/** How figures are written, so that an answer shows them as a report does. */
function formatOf({ annotation }: Column): { format?: string; currency?: string } {
  const { formatDescription } = annotation;
  if (!formatDescription) return {};
  const { specifier: format, currency } = formatDescription;
  return { format, ...(currency == null ? {} : { currency }) };
}

/** The model tells numbers from texts; whether they are whole only the cells tell. */
function typeOf({ kind, annotation }: Column, cells: readonly (Cell | undefined)[]): string {
  if (kind === 'timeDimension' || annotation.type === 'time') return 'Timestamp';
  if (annotation.type === 'boolean') return 'Boolean';
  if (annotation.type !== 'number') return 'String';
  const figures = cells.filter(cell => cell !== null && cell !== undefined);
  return figures.length > 0 && figures.every(figure => /^-?\d{1,18}$/.test(String(figure))) ? 'Int64' : 'Double';
}
