import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { formatOperators } from '../../contract/report-spec.js';

/** Width of a column: px, or a share of the remaining width. */
export interface ColumnWidth {
  readonly unit: 'px' | 'fr';
  readonly size: number;
}

/** A value that a conditional format compares with. */
export type FormatValue = string | number | boolean;

/** A condition that colors a cell. */
export interface CellFormat {
  readonly operator: (typeof formatOperators)[number];
  /** None for `is_null`, two for `between`. */
  readonly values: readonly FormatValue[];
  readonly tone: (typeof tones)[number];
}

/** Appearance of a column; properties are `null` if the report does not set them. */
export interface ColumnSettings {
  readonly title: string | null;
  readonly width: ColumnWidth | null;
  readonly hidden: boolean;
  readonly align: (typeof aligns)[number] | null;
  readonly overflow: (typeof overflows)[number] | null;
  readonly display: (typeof displays)[number];
  /** Column with the URL of a link or an image; `null` if the cell itself contains the URL. */
  readonly url: string | null;
  readonly formats: readonly CellFormat[];
  readonly scale: (typeof scales)[number] | null;
}

/** Appearance of a table. */
export interface TableSettings {
  readonly columns: ReadonlyMap<string, ColumnSettings>;
  /** Column names in display order; other columns follow. */
  readonly order: readonly string[];
  readonly header: (typeof overflows)[number] | null;
  readonly showTotals: boolean;
}

const tones = ['positive', 'negative', 'warning', 'accent', 'muted'] as const;
const aligns = ['start', 'center', 'end'] as const;
const overflows = ['truncate', 'wrap'] as const;
const displays = ['text', 'bar', 'sparkline', 'link', 'image'] as const;
const scales = ['sequential', 'diverging'] as const;
/** Operators and the number of values that they compare with. */
const operators = {
  equals: 1,
  not_equals: 1,
  greater_than: 1,
  less_than: 1,
  between: 2,
  contains: 1,
  is_null: 0,
} satisfies Record<CellFormat['operator'], number>;
const operatorNames: readonly CellFormat['operator'][] = [
  'equals',
  'not_equals',
  'greater_than',
  'less_than',
  'between',
  'contains',
  'is_null',
];
const maxWidth = 2000;
const maxFormats = 50;
const maxColumns = 1000;
const maxTitleLength = 500;

/** Appearance of a column without settings. */
export const defaultColumnSettings: ColumnSettings = {
  title: null,
  width: null,
  hidden: false,
  align: null,
  overflow: null,
  display: 'text',
  url: null,
  formats: [],
  scale: null,
};

/** Appearance of a table without a specification. */
export const defaultTableSettings: TableSettings = { columns: new Map(), order: [], header: null, showTotals: false };

/** Reads the appearance of a report's table (`TableSpec`). Invalid settings are ignored. */
export function readTableSettings(snapshot: ReportSnapshot | null): TableSettings {
  const { columns, order, header, showTotals } = readObject(snapshot?.spec);
  const entries = isRecord(columns) ? Object.entries(columns).slice(0, maxColumns) : [];
  return {
    columns: new Map(entries.map(([name, column]) => [name, readColumnSettings(isRecord(column) ? column : {})])),
    order: namesOf(order),
    header: oneOf(overflows, header),
    showTotals: showTotals === true,
  };
}

/** Returns the `spec` of a snapshot as an object, even if it is JSON text; an empty object for anything else. */
export function readObject(spec: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(spec)) return spec;
  if (typeof spec !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(spec);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** Returns the strings in a list, at most as many as a table can have columns. */
export function namesOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter(name => typeof name === 'string').slice(0, maxColumns) : [];
}

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readColumnSettings(spec: Readonly<Record<string, unknown>>): ColumnSettings {
  const { title, width, hidden, align, overflow, display, url, formats, scale } = spec;
  return {
    title: typeof title === 'string' ? title.slice(0, maxTitleLength) : null,
    width: readWidth(width),
    hidden: hidden === true,
    align: oneOf(aligns, align),
    overflow: oneOf(overflows, overflow),
    display: oneOf(displays, display) ?? 'text',
    url: typeof url === 'string' ? url : null,
    formats: Array.isArray(formats) ? formats.slice(0, maxFormats).flatMap(readFormat) : [],
    scale: oneOf(scales, scale),
  };
}

function readWidth(width: unknown): ColumnWidth | null {
  const text = typeof width === 'number' ? `${width}px` : width;
  const match = typeof text === 'string' ? /^(\d{1,5}(?:\.\d{1,9})?)(px|fr)?$/.exec(text) : null;
  const size = Math.min(Number(match?.[1] ?? 0), maxWidth);
  return size > 0 ? { unit: match?.[2] === 'fr' ? 'fr' : 'px', size } : null;
}

function readFormat(format: unknown): CellFormat[] {
  if (!isRecord(format)) return [];
  const operator = oneOf(operatorNames, format.operator);
  const tone = oneOf(tones, format.tone);
  const given: readonly unknown[] = Array.isArray(format.value) ? format.value : [format.value];
  const values = given.filter(isFormatValue);
  return operator && tone && values.length >= operators[operator] ? [{ operator, values, tone }] : [];
}

function isFormatValue(value: unknown): value is FormatValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function oneOf<T extends string>(known: readonly T[], value: unknown): T | null {
  return known.find(item => item === value) ?? null;
}
