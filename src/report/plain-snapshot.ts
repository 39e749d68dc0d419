import type { ReportSnapshot } from '../contract/dashboards.js';
import type { JsonObject } from '../contract/wire.js';

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
