import type { MemberAnnotation } from '../../contract/data.js';
import type { Filter, Order, Query } from '../../contract/query.js';
import type { ControlVisibility, DashboardFilterOperator, FilterCondition } from '../../contract/widget-config.js';
import { keysOf, viewOf, viewsOf } from '../query/member-names.js';
import { type ConditionProblem, conditionFilters, type MemberType } from './filter-condition.js';

interface ControlBase {
  /** Id of the widget. */
  readonly id: string;
  readonly title: string;
  readonly visibility: ControlVisibility;
}

/** A value that a filter offers. */
export type Scalar = string | number | boolean;

/** Restricts rows by a condition on a member. */
export interface FilterControl extends ControlBase {
  readonly kind: 'filter';
  /** Name of the member: `view.dimension`. */
  readonly member: string;
  /** Values to choose from; `null` if they are read from the data. */
  readonly values: readonly Scalar[] | null;
  /** True if only one value can be selected. */
  readonly single: boolean;
  /** Available operators; `null` for all operators of the member's type. */
  readonly operators: readonly DashboardFilterOperator[] | null;
  /** Default condition; `null` if there is none. */
  readonly initial: FilterCondition | null;
  /** Attribute of the viewer whose value replaces `initial`, if the viewer has it. */
  readonly userAttribute: string | null;
}

/** Replaces the granularity of reports. */
export interface GrainControl extends ControlBase {
  readonly kind: 'grain';
  /** Name of the time dimension: `view.dimension`. */
  readonly member: string;
  readonly values: readonly string[];
  readonly initial: string | null;
}

/** Replaces a member with another one. */
export interface FieldControl extends ControlBase {
  readonly kind: 'field';
  /** The member to replace. */
  readonly member: string;
  /** If `title` is `null`, the model's title is used. */
  readonly members: readonly { readonly member: string; readonly title: string | null }[];
  readonly initial: string | null;
}

/** An option of a parent control: a condition, granularity or member for each child control, by its id. */
export interface ParentOption {
  readonly id: string;
  readonly title: string;
  readonly controls: ReadonlyMap<string, string | FilterCondition>;
}

/** Sets the values of other controls. */
export interface ParentControl extends ControlBase {
  readonly kind: 'parent';
  readonly options: readonly ParentOption[];
  /** Id of the default option. */
  readonly initial: string | null;
}

/** A control of a dashboard. The viewer's choice changes the queries of tiles. */
export type Control = FilterControl | GrainControl | FieldControl | ParentControl;

/** A condition that is added to the queries of its view or cube. */
export interface FilterChoice {
  readonly kind: 'filter';
  readonly title: string;
  readonly member: string;
  readonly type: MemberType | null;
  /** `null` for no condition. */
  readonly condition: FilterCondition | null;
  /** `meta` of the member, if the choice was made with a mark. */
  readonly meta?: MemberAnnotation['meta'];
  /** Id of the control; `null` if the choice was not made with a control. */
  readonly control: string | null;
  /**
   * Id of the widget whose mark was selected, which the condition does not affect; `null` if the choice was not made
   * with a mark.
   */
  readonly from: string | null;
  /** Data API filter of several marks, if one condition on one member cannot express it. */
  readonly combinedFilter?: Filter;
}

/** A granularity; `null` if each report uses its own. */
export interface GrainChoice {
  readonly kind: 'grain';
  readonly title: string;
  readonly member: string;
  readonly value: string | null;
  readonly control: string | null;
}

/** A replacement for `member`; `null` for no replacement. */
export interface FieldChoice {
  readonly kind: 'field';
  readonly title: string;
  readonly member: string;
  readonly value: string | null;
  readonly control: string | null;
}

/** The time zone in which dates are interpreted and grouped; overrides the time zone of reports. */
export interface TimezoneChoice {
  readonly kind: 'timezone';
  readonly value: string;
}

/** A choice that changes the query of a report. */
export type Choice = FilterChoice | GrainChoice | FieldChoice | TimezoneChoice;

/**
 * Reason why a choice does not affect a report that uses its member. `sql`: the report runs its SQL unchanged.
 * `grains`: two granularities of one time dimension would become one. `taken`: the report already contains the chosen
 * member. Other values: the Data API cannot express the condition.
 */
export type IgnoredReason = 'sql' | 'grains' | 'taken' | ConditionProblem;

/** A choice that does not affect a report. */
export interface IgnoredChoice {
  /** Title of the control. */
  readonly title: string;
  readonly reason: IgnoredReason;
}

/** A query with the choices of its dashboard applied. */
export interface ControlledQuery {
  readonly query: Query;
  /** New row keys by original row keys; contains only keys that changed. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Choices on a member of the query that could not be applied. */
  readonly ignored: readonly IgnoredChoice[];
}

/**
 * Applies choices to a query before aggregation. A filter applies to all queries of its view or cube. A granularity
 * applies to queries that group by its member. A replacement member applies to groups and measures, but not to filters.
 */
export function withChoices(query: Query, choices: readonly Choice[]): ControlledQuery {
  const { filters, ignored: unfit } = chosenFilters(viewsOf(query), choices);
  const { renamed, ignored: ungrouped } = chosenKeys(query, choices);
  const timezone = choices.find(choice => choice.kind === 'timezone')?.value;
  const filtered = filters.length > 0 ? { ...query, filters: [...(query.filters ?? []), ...filters] } : query;
  const zoned = timezone === undefined || timezone === query.timezone ? filtered : { ...filtered, timezone };
  return {
    query: renamed.size > 0 ? renameGroups(zoned, renamed) : zoned,
    renamed,
    ignored: [...unfit, ...ungrouped],
  };
}

/**
 * Returns the choices that apply to a tile. Excludes choices made on the tile itself, and choices of controls that its
 * author disconnected. If the tile maps a control to another member, the choice is on that member.
 * @param mapping `controls` of the tile's widget: members by control id; `null` disconnects a control.
 */
export function choicesOfTile(
  choices: readonly Choice[],
  tile: string,
  mapping: ReadonlyMap<string, string | null>,
): readonly Choice[] {
  return choices.flatMap((choice): Choice[] => {
    if (choice.kind === 'timezone') return [choice];
    if (choice.kind === 'filter' && choice.from === tile) return [];
    const member = choice.control === null ? undefined : mapping.get(choice.control);
    if (member === null) return [];
    return [member === undefined || member === choice.member ? choice : { ...choice, member }];
  });
}

/** Returns the choices that a SQL report ignores: all except the time zone. */
export function ignoredBySql(choices: readonly Choice[]): readonly IgnoredChoice[] {
  return choices.flatMap(choice =>
    choice.kind === 'timezone' ? [] : [{ title: choice.title, reason: 'sql' as const }],
  );
}

function chosenFilters(
  views: ReadonlySet<string>,
  choices: readonly Choice[],
): { readonly filters: readonly Filter[]; readonly ignored: readonly IgnoredChoice[] } {
  const filters: Filter[] = [];
  const ignored: IgnoredChoice[] = [];
  for (const choice of choices) {
    if (choice.kind !== 'filter' || choice.condition === null || !views.has(viewOf(choice.member))) continue;
    const result = choice.combinedFilter
      ? { filters: [choice.combinedFilter] }
      : conditionFilters(choice.member, choice.condition, choice.type);
    if ('filters' in result) filters.push(...result.filters);
    else ignored.push({ title: choice.title, reason: result.problem });
  }
  return { filters, ignored };
}

/** Applies granularities before members, so that a replaced time dimension keeps its chosen granularity. */
function chosenKeys(
  query: Query,
  choices: readonly Choice[],
): { readonly renamed: ReadonlyMap<string, string>; readonly ignored: readonly IgnoredChoice[] } {
  const keys = keysOf(query);
  const ignored: IgnoredChoice[] = [];
  const renamed = new Map<string, string>();
  for (const choice of choices) {
    if (choice.kind !== 'grain' || choice.value === null) continue;
    const { member, value, title } = choice;
    const grouped = keys.filter(key => granularityOf(key, member));
    const [key] = grouped;
    // Two granularities of one time dimension would become one.
    if (grouped.length > 1) ignored.push({ title, reason: 'grains' });
    else if (key !== undefined) renamed.set(key, `${member}.${value}`);
  }
  let fields = choices.filter((choice): choice is FieldChoice => choice.kind === 'field' && choice.value !== null);
  const named = (): [string, string][] => {
    const replaced = new Map(fields.map(({ member, value }) => [member, value ?? member]));
    return keys.map(key => [key, withMember(renamed.get(key) ?? key, replaced)]);
  };
  // Skips choices that would produce two columns of the same name, then checks the remaining choices again.
  for (let taken = takenBy(fields, named()); taken !== undefined; taken = takenBy(fields, named())) {
    const { title, member } = taken;
    ignored.push({ title, reason: 'taken' });
    fields = fields.filter(field => field.member !== member);
  }
  return { renamed: new Map(named().filter(([key, now]) => now !== key)), ignored };
}

/** Returns a choice that gives a key the name of another key. */
function takenBy(
  fields: readonly FieldChoice[],
  named: readonly (readonly [string, string])[],
): FieldChoice | undefined {
  const names = named.map(([, now]) => now);
  const collides = ([key, now]: readonly [string, string]) =>
    now !== key && names.indexOf(now) !== names.lastIndexOf(now);
  return fields.find(({ member }) => named.some(name => memberOf(name[0]) === member && collides(name)));
}

/** Replaces the member of a row key; its granularity does not change. */
function withMember(key: string, replaced: ReadonlyMap<string, string>): string {
  const member = memberOf(key);
  const next = replaced.get(member);
  return next === undefined ? key : `${next}${key.slice(member.length)}`;
}

function memberOf(key: string): string {
  return key.split('.', 2).join('.');
}

/** Returns the granularity of a row key; `null` if the key does not belong to this time dimension. */
function granularityOf(key: string, member: string): string | null {
  return key.startsWith(`${member}.`) ? key.slice(member.length + 1) : null;
}

function renameGroups(query: Query, renamed: ReadonlyMap<string, string>): Query {
  const rename = (key: string): string => renamed.get(key) ?? key;
  const { dimensions, measures, timeDimensions, order } = query;
  return {
    ...query,
    ...(dimensions && { dimensions: dimensions.map(rename) }),
    ...(measures && { measures: measures.map(rename) }),
    ...(timeDimensions && {
      timeDimensions: timeDimensions.map(time => {
        const key = time.granularity ? renamed.get(`${time.dimension}.${time.granularity}`) : undefined;
        if (key === undefined) return time;
        const [view, name, granularity] = key.split('.');
        return { ...time, dimension: `${view}.${name}`, granularity };
      }),
    }),
    ...(order && { order: renameOrder(order, rename) }),
  };
}

function renameOrder(order: Order, rename: (key: string) => string): Order {
  const entries = Array.isArray(order) ? order : Object.entries(order);
  return entries.map(entry =>
    Array.isArray(entry)
      ? { id: rename(entry[0]), desc: entry[1] === 'desc' }
      : { id: rename(entry.id), desc: entry.desc },
  );
}
