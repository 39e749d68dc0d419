import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { MemberAnnotation } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { DrawingError } from './report-columns.js';
import { isRecord } from './table-look.js';

/** Most rows that a report is given. */
export const maxRows = 1_000_000;
const maxColumns = 1000;
const kinds = ['measure', 'dimension', 'timeDimension'] as const;
const maxNameLength = 100;

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
  if (columns.length > maxColumns) throw new DrawingError(`rows.columns: give ${maxColumns} columns at most.`);
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
  if (rows.length > maxRows) throw new DrawingError(`rows.rows: give ${maxRows.toLocaleString('en')} rows at most.`);
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
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}

const chartKeys = ['$schema', 'mark', 'layer', 'marks', 'facet', 'hconcat', 'vconcat', 'concat', 'repeat'];
const tableKeys = ['pivotItems', 'columns', 'order', 'header', 'showTotals'];
const reportKeys = ['kind', 'spec', 'meta', 'sqlQuery', 'reportId'];

/** How rows are drawn that come without a report: a table of all columns as they come. */
export const plainTable: ReportSnapshot = { id: 0, reportId: 0, versionNumber: 1, kind: 'table' };

/**
 * What a host gives as a report: a snapshot, whole or without what the platform alone knows; or a specification by itself, of Vega,
 * Vega-Lite or a table. Null for anything else.
 */
export function toSnapshot(given: unknown): ReportSnapshot | null {
  if (!isObject(given)) return null;
  if (reportKeys.some(key => Object.hasOwn(given, key))) return { ...plainTable, kind: null, ...given };
  const { title } = given;
  const named = typeof title === 'string' ? { title } : {};
  if (chartKeys.some(key => Object.hasOwn(given, key))) return { ...plainTable, ...named, kind: 'vega', spec: given };
  return tableKeys.some(key => Object.hasOwn(given, key)) ? { ...plainTable, ...named, spec: given } : null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
