import type { Filter, MemberFilter, Query } from '../contract/query.js';
import type { RowSet } from '../contract/row-set.js';
import { readable } from './readable.js';
import { columnTitle } from './table.js';

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
const mostTexts = 50;
const mostValues = 10;
const longestValue = 100;

/** What a query is filtered by, a text for each condition, in signs that need no translation: `State = CA, TX`. */
export function filterTexts(query: Query | null, { columns }: RowSet): readonly string[] {
  if (!query) return [];
  const title = (member: string): string => {
    const column = columns.find(
      ({ member: name, kind }) => name === member || (kind === 'timeDimension' && name.startsWith(`${member}.`)),
    );
    return column ? columnTitle(column) : readable(member.slice(member.indexOf('.') + 1));
  };
  const ranges = (query.timeDimensions ?? []).flatMap(({ dimension, dateRange }) =>
    dateRange ? [`${title(dimension)}: ${rangeText(dateRange)}`] : [],
  );
  const filters = (query.filters ?? []).map(filter => filterText(filter, title));
  const segments = (query.segments ?? []).map(segment => readable(segment.slice(segment.indexOf('.') + 1)));
  return [...ranges, ...filters, ...segments].slice(0, mostTexts);
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
  const texts = values.slice(0, mostValues).map(value => (value === null ? '∅' : String(value).slice(0, longestValue)));
  const list = `${texts.join(', ')}${values.length > mostValues ? ', …' : ''}`;
  if (operator === 'startsWith' || operator === 'notStartsWith') return `${title} ${signOf(operator)} ${list}…`;
  if (operator === 'endsWith' || operator === 'notEndsWith') return `${title} ${signOf(operator)} …${list}`;
  return `${title} ${signs[operator] ?? operator} ${list}`;
}

function signOf(operator: string): string {
  return operator.startsWith('not') ? '≠' : '=';
}

/** Whole days without their hours. */
function rangeText(range: string | readonly string[]): string {
  const [from = '', to = from] = typeof range === 'string' ? [range] : range;
  const short = (text: string) => text.replace(/T(00:00:00(\.0+)?|23:59:59(\.9+)?)$/, '').slice(0, longestValue);
  return from === to ? short(from) : `${short(from)} – ${short(to)}`;
}
