import type { MemberAnnotation } from '../contract/data.js';
import type { Column, RowSet } from '../contract/row-set.js';
import { DrawingError } from './report-columns.js';
import { isRecord } from './table-look.js';

/** Most rows that a report is given. */
export const mostRows = 1_000_000;
const mostColumns = 1000;
const kinds = ['measure', 'dimension', 'timeDimension'] as const;
const longestName = 100;

/**
 * Rows that a page gives to be drawn. They are used as they are, none is copied. A column needs a `member`, the key of the rows; what of
 * it is absent is taken from that name and from `type` (`string`): numbers are measures, times are time dimensions.
 * @throws DrawingError that says in one sentence what can't be used, and where; no value is told.
 */
export function readRowSet(value: unknown): RowSet {
  if (!isRecord(value)) throw new DrawingError('rows: give an object with columns and rows.');
  const { columns: given, rows, truncated, lastRefreshTime } = value;
  const columns = readColumns(given);
  if (!areRows(rows, columns)) throw new DrawingError('rows.rows: give a list of objects.');
  return {
    columns,
    rows,
    truncated: truncated === true,
    lastRefreshTime: typeof lastRefreshTime === 'string' ? lastRefreshTime : null,
  };
}

function readColumns(columns: unknown): Column[] {
  if (!Array.isArray(columns)) throw new DrawingError('rows.columns: give a list of columns.');
  if (columns.length > mostColumns) throw new DrawingError(`rows.columns: give ${mostColumns} columns at most.`);
  const read = columns.map(readColumn);
  const twice = read.find(({ member }, index) => read.findIndex(other => other.member === member) < index);
  if (twice) throw new DrawingError(`rows.columns: ${shortened(twice.member)} is there twice.`);
  return read;
}

function readColumn(column: unknown, index: number): Column {
  const { member, kind, annotation } = isRecord(column) ? column : {};
  if (typeof member !== 'string' || member === '') {
    throw new DrawingError(`rows.columns[${index}].member: give the key of the rows that the column shows.`);
  }
  const { title, shortTitle, type, ...others } = isRecord(annotation) ? annotation : {};
  const known = kinds.find(one => one === kind);
  const text = (given: unknown, otherwise: string) => (typeof given === 'string' ? given : otherwise);
  const read: MemberAnnotation = {
    ...others,
    title: text(title, member),
    shortTitle: text(shortTitle, text(title, member)),
    type: text(type, known === 'measure' ? 'number' : known === 'timeDimension' ? 'time' : 'string'),
  };
  return { member, kind: known ?? kindOf(read.type), annotation: read };
}

function kindOf(type: string): Column['kind'] {
  return type === 'number' ? 'measure' : type === 'time' ? 'timeDimension' : 'dimension';
}

/** Looks at every cell that is shown once; a cell that is not there is an empty one. */
function areRows(rows: unknown, columns: readonly Column[]): rows is RowSet['rows'] {
  if (!Array.isArray(rows)) return false;
  if (rows.length > mostRows) throw new DrawingError(`rows.rows: give ${mostRows.toLocaleString('en')} rows at most.`);
  const members = columns.map(({ member }) => member);
  for (let index = 0; index < rows.length; index += 1) {
    const row: unknown = rows[index];
    if (!isRecord(row)) throw new DrawingError(`rows.rows[${index}]: give an object.`);
    const wrong = members.find(member => !isCell(row[member]) && Object.hasOwn(row, member));
    if (wrong !== undefined) {
      throw new DrawingError(
        `rows.rows[${index}], column ${shortened(wrong)}: give a text, a number, a boolean or null; a time as text such as 2001-01-31T00:00:00.000.`,
      );
    }
  }
  return true;
}

function isCell(value: unknown): boolean {
  const type = typeof value;
  return type === 'string' || type === 'number' || value === null || type === 'boolean' || value === undefined;
}

function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}
