import type { DashboardWidget } from '../contract/dashboards.js';
import type { Filter, Order, Query } from '../contract/query.js';
import type { RowSet } from '../contract/row-set.js';
import { readable } from './readable.js';

/** A control of a dashboard: what the viewer chooses by it reaches the queries of tiles. */
export interface Control {
  /** Id of its widget. */
  readonly id: string;
  /** `filter` keeps rows with one value of the member; `grain` puts another granularity in the place of a report's own. */
  readonly kind: 'filter' | 'grain';
  readonly title: string;
  /** `view.dimension`. */
  readonly member: string;
  /** What can be chosen; null where the data says it. */
  readonly values: readonly string[] | null;
  /** What is chosen before the viewer has chosen; null for nothing. */
  readonly initial: string | null;
}

/** What is chosen by a control; null for nothing: the report stays as it is. */
export interface Choice {
  readonly control: Control;
  readonly value: string | null;
}

/** A query as the controls of its dashboard leave it. */
export interface ControlledQuery {
  readonly query: Query;
  /** The key of the rows that stands for a key which the query had before; the other keys are the same. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Controls of a member that the query uses in a way they can't reach. */
  readonly ignored: readonly Control[];
}

const mostValues = 500;
const longestValue = 200;
const memberName = /^[A-Za-z_]\w{0,99}\.[A-Za-z_]\w{0,99}$/;
const grains = ['day', 'week', 'month', 'quarter', 'year'];

/** The control that a widget is (`FilterWidgetConfig`, `TimeGrainWidgetConfig`); null for what is none, or not to be understood. */
export function controlOf({ id, type, config }: DashboardWidget): Control | null {
  const kind = type === 'FILTER' ? 'filter' : type === 'TIME_GRAIN' ? 'grain' : null;
  const member = config?.member;
  if (kind === null || typeof member !== 'string' || !memberName.test(member)) return null;
  const listed = textsOf(kind === 'filter' ? config?.values : config?.granularities);
  return {
    id,
    kind,
    title: textOf(config?.title) ?? readable(member.slice(member.indexOf('.') + 1)),
    member,
    values: listed ?? (kind === 'grain' ? grains : null),
    initial: textOf(config?.value),
  };
}

/** The query whose rows are the values that a control offers; null where they are told already. */
export function suggestionQuery({ values, member }: Control): Query | null {
  return values ? null : { dimensions: [member], order: [[member, 'asc']], limit: mostValues };
}

/** The values among the rows of `suggestionQuery`. */
export function suggestions({ columns, rows }: RowSet): readonly string[] {
  const member = columns[0]?.member ?? '';
  return rows.flatMap(row => {
    const value = row[member] ?? '';
    return value === '' ? [] : [String(value)];
  });
}

/**
 * Puts what is chosen into a query, before anything is aggregated. A filter reaches every query of its own view or cube, a granularity
 * those that are grouped by its member.
 */
export function withChoices(query: Query, choices: readonly Choice[]): ControlledQuery {
  const views = viewsOf(query);
  const chosen = choices.flatMap(({ control, value }) => (value === null ? [] : [{ control, value }]));
  const filters = chosen.flatMap(({ control: { kind, member }, value }): Filter[] =>
    kind === 'filter' && views.has(viewOf(member)) ? [{ member, operator: 'equals', values: [value] }] : [],
  );
  const ignored: Control[] = [];
  const renamed = new Map<string, string>();
  for (const { control, value } of chosen) {
    const grouped = control.kind === 'grain' ? keysOf(query).filter(key => granularityOf(key, control.member)) : [];
    const [key] = grouped;
    // Two granularities of one time would become one.
    if (grouped.length > 1) ignored.push(control);
    else if (key !== undefined && key !== `${control.member}.${value}`) renamed.set(key, `${control.member}.${value}`);
  }
  const filtered = filters.length > 0 ? { ...query, filters: [...(query.filters ?? []), ...filters] } : query;
  return { query: renamed.size > 0 ? regrouped(filtered, renamed) : filtered, renamed, ignored };
}

/** Keys of the rows of a query, in the order of its columns. */
export function keysOf({ dimensions = [], timeDimensions = [], measures = [] }: Query): string[] {
  const times = timeDimensions.flatMap(({ dimension, granularity }) =>
    granularity ? [`${dimension}.${granularity}`] : [],
  );
  return [...dimensions, ...times, ...measures];
}

/** The granularity that a key of rows has, where it is one of this time dimension. */
function granularityOf(key: string, member: string): string | null {
  return key.startsWith(`${member}.`) ? key.slice(member.length + 1) : null;
}

function regrouped(query: Query, renamed: ReadonlyMap<string, string>): Query {
  const rename = (key: string): string => renamed.get(key) ?? key;
  const { dimensions, timeDimensions, order } = query;
  return {
    ...query,
    ...(dimensions && { dimensions: dimensions.map(rename) }),
    ...(timeDimensions && {
      timeDimensions: timeDimensions.map(time => {
        const key = time.granularity ? renamed.get(`${time.dimension}.${time.granularity}`) : undefined;
        return key === undefined ? time : { ...time, granularity: granularityOf(key, time.dimension) };
      }),
    }),
    ...(order && { order: reordered(order, rename) }),
  };
}

function reordered(order: Order, rename: (key: string) => string): Order {
  const entries = Array.isArray(order) ? order : Object.entries(order);
  return entries.map(entry =>
    Array.isArray(entry)
      ? { id: rename(entry[0]), desc: entry[1] === 'desc' }
      : { id: rename(entry.id), desc: entry.desc },
  );
}

/** Names of the views and cubes that a query is asked of. */
function viewsOf(query: Query): ReadonlySet<string> {
  const times = (query.timeDimensions ?? []).map(({ dimension }) => dimension);
  return new Set([...keysOf(query), ...times, ...(query.segments ?? [])].map(viewOf));
}

function viewOf(member: string): string {
  return member.slice(0, member.indexOf('.'));
}

function textsOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.flatMap(item => textOf(item) ?? []).slice(0, mostValues) : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, longestValue) : null;
}
