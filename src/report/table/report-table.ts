import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Filter, MemberFilter, Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import { humanizeName } from '../query/member-names.js';
import { groupKey, type ReportData } from '../query/report-data.js';
import { toPivot } from './pivot.js';
import { pivotItems } from './pivot-layout.js';
import { columnTitle, type Presentation, type Table, type TableHead, type TableRow, toTable } from './table.js';
import { readTableSettings } from './table-settings.js';

const signs: Readonly<Record<string, string>> = {
  equals: '=',
  notEquals: '≠',
  contains: '∋',
  notContains: '∌',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  afterDate: '>',
  afterOrOnDate: '≥',
  beforeDate: '<',
  beforeOrOnDate: '≤',
  inDateRange: ':',
};
const maxTexts = 50;
const maxValues = 10;
const maxValueLength = 100;

/** Describes the filters of a query, one string per condition, with language-independent symbols: `State = CA, TX`. */
function filterTexts(query: Query | null, { columns }: RowSet): readonly string[] {
  if (!query) return [];
  const title = (member: string): string => {
    const column = columns.find(
      ({ member: name, kind }) => name === member || (kind === 'timeDimension' && name.startsWith(`${member}.`)),
    );
    return column ? columnTitle(column) : humanizeName(member.slice(member.indexOf('.') + 1));
  };
  const ranges = (query.timeDimensions ?? []).flatMap(({ dimension, dateRange }) =>
    dateRange ? [`${title(dimension)}: ${rangeText(dateRange)}`] : [],
  );
  const filters = (query.filters ?? []).map(filter => filterText(filter, title));
  const segments = (query.segments ?? []).map(segment => humanizeName(segment.slice(segment.indexOf('.') + 1)));
  return [...ranges, ...filters, ...segments].slice(0, maxTexts);
}

function filterText(filter: Filter, title: (member: string) => string): string {
  if ('and' in filter) return filter.and.map(part => filterText(part, title)).join(' ∧ ');
  if ('or' in filter) return `(${filter.or.map(part => filterText(part, title)).join(' ∨ ')})`;
  return conditionText(filter, title(filter.member));
}

function conditionText({ operator, values = [] }: MemberFilter, title: string): string {
  if (operator === 'set') return `${title} ≠ ∅`;
  if (operator === 'notSet') return `${title} = ∅`;
  if (operator === 'inDateRange') return `${title}: ${rangeText(values.map(String))}`;
  if (operator === 'notInDateRange') return `${title} ∉ ${rangeText(values.map(String))}`;
  const texts = values
    .slice(0, maxValues)
    .map(value => (value === null ? '∅' : String(value).slice(0, maxValueLength)));
  const list = `${texts.join(', ')}${values.length > maxValues ? ', …' : ''}`;
  if (operator === 'startsWith' || operator === 'notStartsWith') return `${title} ${signOf(operator)} ${list}…`;
  if (operator === 'endsWith' || operator === 'notEndsWith') return `${title} ${signOf(operator)} …${list}`;
  return `${title} ${signs[operator] ?? operator} ${list}`;
}

function signOf(operator: string): string {
  return operator.startsWith('not') ? '≠' : '=';
}

/** Formats a date range; removes the time from whole days. */
function rangeText(range: string | readonly string[]): string {
  const [from = '', to = from] = typeof range === 'string' ? [range] : range;
  const short = (text: string) => text.replace(/T(00:00:00(\.0+)?|23:59:59(\.9+)?)$/, '').slice(0, maxValueLength);
  return from === to ? short(from) : `${short(from)} – ${short(to)}`;
}

/** Returns the table of a report: a pivot if the report defines one, otherwise its rows. */
export function reportTable(data: ReportData, snapshot: ReportSnapshot | null, presentation: Presentation): Table {
  const settings = readTableSettings(snapshot);
  const items = pivotItems(snapshot);
  if (!items) {
    const total = settings.showTotals ? (data.totals.get(groupKey([]))?.rows[0] ?? null) : null;
    return toTable(data.rowSet, presentation, settings, total);
  }
  const pivot = toPivot(data, { items, settings, presentation, snapshot });
  const query = data.request?.kind === 'load' ? data.request.query : null;
  return items.showFilters ? { ...pivot, filters: filterTexts(query, data.rowSet) } : pivot;
}

/** Returns a table with only these columns, in this order. Headings span adjacent columns. */
export function selectColumns(table: Table, columns: readonly number[]): Table {
  if (isEveryColumn(table, columns)) return table;
  const source = (column: number): number => columns[column] ?? -1;
  const selected = ({ kind, cells }: TableRow): TableRow => ({
    kind,
    cells: columns.flatMap(column => cells[column] ?? []),
  });
  return {
    ...table,
    columns: columns.flatMap(column => table.columns[column] ?? []),
    heads: table.heads.map(level => selectHeads(level, columns)),
    value: (row, column) => table.value(row, source(column)),
    mark: (row, column) => table.mark(row, source(column)),
    range: column => table.range(source(column)),
    row: index => {
      const row = table.row(index);
      return row && selected(row);
    },
  };
}

/**
 * Returns the outermost headings of a pivot's value columns; empty unless there are several headings and one of them
 * spans several columns.
 */
export function columnGroups({ heads }: Table): readonly TableHead[] {
  const groups = heads[0]?.filter(({ kind }) => kind !== 'corner') ?? [];
  return groups.length > 1 && groups.some(({ span }) => span > 1) ? groups : [];
}

function isEveryColumn(table: Table, columns: readonly number[]): boolean {
  return columns.length === table.columns.length && columns.every((column, index) => column === index);
}

function selectHeads(level: readonly TableHead[], columns: readonly number[]): readonly TableHead[] {
  const heads: TableHead[] = [];
  let before: TableHead | undefined;
  columns.forEach((column, index) => {
    const head = level.find(({ from, span }) => column >= from && column < from + span);
    const last = heads.at(-1);
    if (head && last && head === before) heads[heads.length - 1] = { ...last, span: last.span + 1 };
    else if (head) heads.push({ ...head, from: index, span: 1 });
    before = head;
  });
  return heads;
}
