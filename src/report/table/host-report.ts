import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { MemberAnnotation } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { DrawingError } from './report-columns.js';
import { isRecord } from './table-settings.js';

/** Maximum number of rows that a host can provide. */
export const maxRows = 1_000_000;
const maxColumns = 1000;
const kinds = ['measure', 'dimension', 'timeDimension'] as const;
const maxNameLength = 100;

/**
 * Validates the rows of a host. They are used without copying. A column needs a `member`, the key in the rows; missing
 * properties are derived from that name and from `type` (`string`): numbers are measures, times are time dimensions.
 * @throws DrawingError with the invalid part and its position; the message contains no values.
 */
export function readRowSet(value: unknown): RowSet {
  if (!isRecord(value)) throw new DrawingError('rows must be an object with columns and rows.');
  const { columns: given, rows, truncated, lastRefreshTime } = value;
  const columns = readColumns(given);
  if (!areRows(rows, columns)) throw new DrawingError('rows.rows must be an array of objects.');
  return {
    columns,
    rows,
    truncated: truncated === true,
    lastRefreshTime: typeof lastRefreshTime === 'string' ? lastRefreshTime : null,
  };
}

function readColumns(columns: unknown): Column[] {
  if (!Array.isArray(columns)) throw new DrawingError('rows.columns must be an array of columns.');
  if (columns.length > maxColumns) throw new DrawingError(`rows.columns must have at most ${maxColumns} columns.`);
  const read = columns.map(readColumn);
  const duplicate = read.find(({ member }, index) => read.findIndex(other => other.member === member) < index);
  if (duplicate) throw new DrawingError(`rows.columns contains ${shortenName(duplicate.member)} more than once.`);
  return read;
}

function readColumn(column: unknown, index: number): Column {
  const { member, kind, annotation } = isRecord(column) ? column : {};
  if (typeof member !== 'string' || member === '') {
    throw new DrawingError(`rows.columns[${index}].member must be the key of the column in the rows.`);
  }
  const { title, shortTitle, type, ...others } = isRecord(annotation) ? annotation : {};
  const known = kinds.find(one => one === kind);
  const text = (given: unknown, otherwise: string) => (typeof given === 'string' ? given : otherwise);
  const read: MemberAnnotation = {
    ...others,
    title: text(title, member),
    shortTitle: text(shortTitle, text(title, member)),
    type: text(type, typeOf(known)),
  };
  return { member, kind: known ?? kindOf(read.type), annotation: read };
}

function typeOf(kind: Column['kind'] | undefined): string {
  if (kind === 'measure') return 'number';
  return kind === 'timeDimension' ? 'time' : 'string';
}

function kindOf(type: string): Column['kind'] {
  if (type === 'number') return 'measure';
  return type === 'time' ? 'timeDimension' : 'dimension';
}

/** Checks each displayed cell once; a missing cell is empty. */
function areRows(rows: unknown, columns: readonly Column[]): rows is RowSet['rows'] {
  if (!Array.isArray(rows)) return false;
  if (rows.length > maxRows)
    throw new DrawingError(`rows.rows must have at most ${maxRows.toLocaleString('en')} rows.`);
  const members = columns.map(({ member }) => member);
  for (let index = 0; index < rows.length; index += 1) {
    const row: unknown = rows[index];
    if (!isRecord(row)) throw new DrawingError(`rows.rows[${index}] must be an object.`);
    const wrong = members.find(member => !isCell(row[member]) && Object.hasOwn(row, member));
    if (wrong !== undefined) {
      throw new DrawingError(
        `rows.rows[${index}], column ${shortenName(wrong)}: must be a string, a number, a boolean or null; write times as 2001-01-31T00:00:00.000.`,
      );
    }
  }
  return true;
}

function isCell(value: unknown): boolean {
  const type = typeof value;
  return type === 'string' || type === 'number' || value === null || type === 'boolean' || value === undefined;
}

function shortenName(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}

const chartKeys = ['$schema', 'mark', 'layer', 'marks', 'facet', 'hconcat', 'vconcat', 'concat', 'repeat'];
const tableKeys = ['pivotItems', 'columns', 'order', 'header', 'showTotals'];
const reportKeys = ['kind', 'spec', 'meta', 'sqlQuery', 'reportId'];

/** The report for rows without a report: a table of all columns. */
export const plainTable: ReportSnapshot = { id: 0, reportId: 0, versionNumber: 1, kind: 'table' };

/**
 * Converts the report of a host to a snapshot. Accepts a complete or partial snapshot, or a specification of Vega,
 * Vega-Lite or a table. Returns `null` for anything else.
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
