import type { MetaResponse } from '../../../contract/meta.js';
import {
  type DateRange,
  type Filter,
  type FilterValue,
  type MemberFilter,
  measureFilter,
  type Query,
  type TimeDimension,
} from '../../../contract/query.js';
import { DayEdge, localTime, utcZone } from '../../data/time/time-zone.js';
import type { ViewerData } from '../../http/route-deps.js';

/** A member that a viewer can see. */
interface VisibleMember {
  readonly kind: 'measure' | 'dimension' | 'segment';
  readonly type: string;
  readonly shortTitle: string;
  /** Names of the granularities that the model defines for the member. */
  readonly granularities: readonly string[];
}

/** The members that a viewer can see. */
export interface VisibleMembers {
  find(name: string): VisibleMember | undefined;
  readonly cubes: ReadonlySet<string>;
}

/** Thrown if a part of a query is not visible to the viewer, or may contain text of another user. */
export class NotVisible extends Error {}

/** Data of the viewer, used to check which filter values occur in the viewer's rows. */
interface RowCheck {
  readonly data: ViewerData;
  readonly signal: AbortSignal;
}

const units: readonly string[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
/** Relative date ranges consist of these words and numbers. */
const dateWords: ReadonlySet<string> = new Set([
  ...['this', 'last', 'past', 'previous', 'next', 'from', 'to', 'now', 'in', 'ago', 'today', 'yesterday', 'tomorrow'],
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november'],
  'december',
  ...units.flatMap(unit => [unit, `${unit}s`]),
]);
const maxPhraseLength = 100;
/** Patterns of filter values that contain no free text, by type of the member. */
const wellKnown: Readonly<Partial<Record<string, RegExp>>> = {
  number: /^[+-]?\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?$/i,
  boolean: /^(?:true|false|0|1)$/i,
};
/** Operators without values. */
const valueless: ReadonlySet<string> = new Set(['set', 'notSet', measureFilter]);
/**
 * Maximum number of text values in the filters of a query, and of patterns among them. Each pattern requires a query.
 */
const maxTexts = { all: 500, patterns: 10 } as const;

/** Operators that compare with text, each with the operator that finds the rows with a value. */
const textOperators: Readonly<
  Record<string, { readonly finds: MemberFilter['operator']; readonly excludes: boolean }>
> = {
  equals: { finds: 'equals', excludes: false },
  notEquals: { finds: 'equals', excludes: true },
  contains: { finds: 'contains', excludes: false },
  notContains: { finds: 'contains', excludes: true },
  startsWith: { finds: 'startsWith', excludes: false },
  notStartsWith: { finds: 'startsWith', excludes: true },
  endsWith: { finds: 'endsWith', excludes: false },
  notEndsWith: { finds: 'endsWith', excludes: true },
};

/** Returns the members in the visible part of a model. */
export function visibleMembers({ cubes }: MetaResponse): VisibleMembers {
  const isShown = (item: { readonly isVisible?: unknown; readonly public?: unknown }) =>
    item.isVisible !== false && item.public !== false;
  const found = new Map<string, VisibleMember>();
  for (const { measures, dimensions, segments } of cubes.filter(isShown)) {
    const parts = { measure: measures, dimension: dimensions, segment: segments } as const;
    for (const [name, member] of membersIn(parts, isShown)) found.set(name, member);
  }
  return { find: name => found.get(name), cubes: new Set(cubes.filter(isShown).map(({ name }) => name)) };
}

type Cube = MetaResponse['cubes'][number];
type Parts = {
  readonly measure: Cube['measures'];
  readonly dimension: Cube['dimensions'];
  readonly segment: Cube['segments'];
};

function membersIn(parts: Parts, isShown: (item: object) => boolean): [string, VisibleMember][] {
  const kinds = ['measure', 'dimension', 'segment'] as const;
  return kinds.flatMap(kind =>
    parts[kind].filter(isShown).map((item): [string, VisibleMember] => {
      const { name, shortTitle } = item;
      const granularities = 'granularities' in item && Array.isArray(item.granularities) ? item.granularities : [];
      const type = 'type' in item ? String(item.type) : 'boolean';
      return [name, { kind, type, shortTitle, granularities: granularities.map(each => String(each.name)) }];
    }),
  );
}

/**
 * Rebuilds a query from the parts that a viewer can see. Filter values that occur in none of the viewer's rows are
 * removed, because they match no row. A condition without them selects the same rows.
 * @throws NotVisible if the query contains anything else.
 */
export async function visibleQuery(query: Query, members: VisibleMembers, check: RowCheck): Promise<Query> {
  const { measures = [], dimensions = [], segments = [], timeDimensions = [], filters = [] } = query;
  const names = new Names(members);
  const own = await ownTexts(textsIn(filters, names), check);
  const { limit, offset, ungrouped, order, joinHints } = query;
  return {
    measures: measures.map(name => names.of('measure', name)),
    dimensions: dimensions.map(name => names.grouped(name)),
    segments: segments.map(name => names.of('segment', name)),
    timeDimensions: timeDimensions.map(time => timeDimension(names, time)),
    filters: new Filters(names, own).rebuild(filters),
    ...(order !== undefined && {
      order: orderOf(order).map(([name, way]): [string, Direction] => [names.sorted(name), way]),
    }),
    ...(limit != null && { limit }),
    ...(offset != null && { offset }),
    ...(ungrouped !== undefined && { ungrouped }),
    ...(joinHints !== undefined && { joinHints: joinHints.map(path => path.map(cube => names.cube(cube))) }),
  };
}

/** Returns names that the viewer can see, and throws `NotVisible` for all others. */
class Names {
  readonly #members: VisibleMembers;

  constructor(members: VisibleMembers) {
    this.#members = members;
  }

  of(kind: VisibleMember['kind'], name: string): string {
    if (this.#members.find(name)?.kind !== kind) throw new NotVisible();
    return name;
  }

  /** Returns a dimension, or a time dimension with a granularity, such as `orders.created.month`. */
  grouped(name: string): string {
    const [cube, member, granularity] = name.split('.');
    const dimension = this.of('dimension', `${cube}.${member}`);
    return granularity === undefined ? dimension : `${dimension}.${this.granularity(dimension, granularity)}`;
  }

  sorted(name: string): string {
    return this.#members.find(name)?.kind === 'measure' ? name : this.grouped(name);
  }

  granularity(dimension: string, name: string): string {
    const own = this.#members.find(dimension)?.granularities ?? [];
    if (!units.includes(name) && !own.includes(name)) throw new NotVisible();
    return name;
  }

  typeOf(name: string): string {
    const member = this.#members.find(name);
    if (!member || member.kind === 'segment') throw new NotVisible();
    return member.kind === 'measure' ? 'number' : member.type;
  }

  cube(name: string): string {
    if (!this.#members.cubes.has(name)) throw new NotVisible();
    return name;
  }
}

function timeDimension(names: Names, { dimension, granularity, dateRange, compareDateRange }: TimeDimension) {
  if (compareDateRange !== undefined) throw new NotVisible();
  return {
    dimension: names.of('dimension', dimension),
    ...(granularity != null && { granularity: names.granularity(dimension, granularity) }),
    ...(dateRange != null && { dateRange: datesOf(dateRange) }),
  };
}

function datesOf(dateRange: DateRange): DateRange {
  return typeof dateRange === 'string' ? dateOf(dateRange) : dateRange.map(dateOf);
}

function dateOf(text: string): string {
  const isPhrase = text.length <= maxPhraseLength && text.toLowerCase().trim().split(/\s+/).every(isDateWord);
  if (!isDate(text) && !isPhrase) throw new NotVisible();
  return text;
}

const isDate = (text: string) => localTime(text, DayEdge.start, utcZone) !== undefined;
const isText = (type: string) => type !== 'time' && wellKnown[type] === undefined;
const isDateWord = (word: string) => dateWords.has(word) || /^\d{1,6}$/.test(word) || isDate(word.toUpperCase());

type Direction = 'asc' | 'desc';

function orderOf(order: NonNullable<Query['order']>): [string, Direction][] {
  if (!Array.isArray(order)) return Object.entries(order);
  return order.map(entry => (Array.isArray(entry) ? entry : [entry.id, entry.desc ? 'desc' : 'asc']));
}

/** Returns the conditions of all filters as a flat list. */
function conditionsIn(filters: readonly Filter[]): MemberFilter[] {
  return filters.flatMap(filter => {
    if ('and' in filter) return conditionsIn(filter.and);
    return 'or' in filter ? conditionsIn(filter.or) : [filter];
  });
}

/** A text in a filter, with the operator that finds the rows in which it occurs. */
interface FilterText {
  readonly member: string;
  readonly finds: MemberFilter['operator'];
  readonly text: string;
}

const keyOf = ({ member, finds, text }: FilterText) => JSON.stringify([member, finds, text]);

/**
 * Returns the text values in the filters of a query.
 * @throws NotVisible if there are too many, or if an operator compares the order of text.
 */
function textsIn(filters: readonly Filter[], names: Names): FilterText[] {
  const texts = conditionsIn(filters).flatMap(({ member, operator, values = [] }) => {
    if (!isText(names.typeOf(member)) || valueless.has(operator)) return [];
    const how = textOperators[operator];
    if (!how) throw new NotVisible();
    return values.flatMap(value => (value === null ? [] : [{ member, finds: how.finds, text: String(value) }]));
  });
  const distinct = [...new Map(texts.map(each => [keyOf(each), each])).values()];
  const patterns = distinct.filter(({ finds }) => finds !== 'equals');
  if (distinct.length > maxTexts.all || patterns.length > maxTexts.patterns) throw new NotVisible();
  return distinct;
}

/**
 * Returns the keys of the text values that occur in the rows of the viewer. Runs one query per member, and one per
 * pattern.
 */
async function ownTexts(texts: readonly FilterText[], { data, signal }: RowCheck): Promise<ReadonlySet<string>> {
  const cells = async (member: string, operator: MemberFilter['operator'], values: string[]): Promise<string[]> => {
    const query = { dimensions: [member], filters: [{ member, operator, values }], limit: values.length };
    const { rowSet } = await data.load(query, { signal });
    return rowSet.rows.map(row => String(row[member] ?? ''));
  };
  const equal = texts.filter(({ finds }) => finds === 'equals');
  const patterns = texts.filter(({ finds }) => finds !== 'equals');
  const found = await Promise.all([
    ...[...new Set(equal.map(({ member }) => member))].map(async member => {
      const group = equal.filter(each => each.member === member);
      const known = new Set(
        await cells(
          member,
          'equals',
          group.map(({ text }) => text),
        ),
      );
      return group.filter(({ text }) => known.has(text));
    }),
    ...patterns.map(async pattern => {
      const [cell = ''] = await cells(pattern.member, pattern.finds, [pattern.text]);
      return cell.toLowerCase().includes(pattern.text.toLowerCase()) ? [pattern] : [];
    }),
  ]);
  return new Set(found.flat().map(keyOf));
}

/** Rebuilds filters with the text values that occur in the viewer's rows. */
class Filters {
  readonly #names: Names;
  readonly #own: ReadonlySet<string>;

  constructor(names: Names, own: ReadonlySet<string>) {
    this.#names = names;
    this.#own = own;
  }

  /** Returns equivalent filters, without those that match all rows. */
  rebuild(filters: readonly Filter[]): Filter[] {
    return filters.flatMap(filter => this.#filter(filter) ?? []);
  }

  /** Returns `null` for a filter that matches all rows. */
  #filter(filter: Filter): Filter | null {
    if ('and' in filter) {
      const parts = this.rebuild(filter.and);
      return parts.length > 0 ? { and: parts } : null;
    }
    if ('or' in filter) {
      const parts = this.rebuild(filter.or);
      return parts.length < filter.or.length ? null : { or: parts };
    }
    return this.#condition(filter);
  }

  #condition({ member, operator, values }: MemberFilter): Filter | null {
    const type = this.#names.typeOf(member);
    if (values === undefined || valueless.has(operator)) return { member, operator };
    if (isText(type)) return this.#textCondition(member, operator, values);
    if (type === 'time') return { member, operator, values: values.map(value => value && dateOf(String(value))) };
    if (values.some(value => value !== null && !wellKnown[type]?.test(String(value)))) throw new NotVisible();
    return { member, operator, values };
  }

  #textCondition(member: string, operator: MemberFilter['operator'], values: FilterValue[]): Filter | null {
    const how = textOperators[operator];
    if (!how) throw new NotVisible();
    const { finds, excludes } = how;
    const own = values.filter(value => value === null || this.#own.has(keyOf({ member, finds, text: String(value) })));
    if (own.length > 0) return { member, operator, values: own };
    return excludes ? null : noRows(member);
  }
}

/** Returns a condition that matches no row. */
function noRows(member: string): Filter {
  return {
    and: [
      { member, operator: 'set' },
      { member, operator: 'notSet' },
    ],
  };
}
