import type { Filter, Order, Query } from '../../contract/query.js';
import type { ControlVisibility, DashboardFilterOperator, FilterCondition } from '../../contract/widget-config.js';
import { keysOf, viewOf, viewsOf } from '../query/member-names.js';
import { type ConditionProblem, conditionFilters, type MemberType } from './filter-condition.js';

interface ControlBase {
  /** Id of its widget. */
  readonly id: string;
  readonly title: string;
  readonly visibility: ControlVisibility;
}

/** A value that a filter offers. */
export type Scalar = string | number | boolean;

/** Keeps the rows whose member meets a condition. */
export interface FilterControl extends ControlBase {
  readonly kind: 'filter';
  /** `view.dimension`. */
  readonly member: string;
  /** What can be chosen; null where the data says it. */
  readonly values: readonly Scalar[] | null;
  /** One value alone can be chosen. */
  readonly single: boolean;
  /** What can be asked by; null for all that suits the member's type. */
  readonly operators: readonly DashboardFilterOperator[] | null;
  /** What is chosen before the viewer has chosen; null for nothing. */
  readonly initial: FilterCondition | null;
  /** The viewer's attribute whose value is chosen in the place of `initial`, where the viewer has one. */
  readonly userAttribute: string | null;
}

/** Puts another granularity in the place of a report's own. */
export interface GrainControl extends ControlBase {
  readonly kind: 'grain';
  /** `view.dimension` of a time. */
  readonly member: string;
  readonly values: readonly string[];
  readonly initial: string | null;
}

/** Puts another member in the place of one. */
export interface FieldControl extends ControlBase {
  readonly kind: 'field';
  /** The member that is replaced. */
  readonly member: string;
  /** `title` is null where the model says it. */
  readonly members: readonly { readonly member: string; readonly title: string | null }[];
  readonly initial: string | null;
}

/** What one option of a parent chooses: a condition, a granularity or a member, by the ids of the controls that it drives. */
export interface ParentOption {
  readonly id: string;
  readonly title: string;
  readonly controls: ReadonlyMap<string, string | FilterCondition>;
}

/** Sets other controls. */
export interface ParentControl extends ControlBase {
  readonly kind: 'parent';
  readonly options: readonly ParentOption[];
  /** Id of the option that is chosen at first. */
  readonly initial: string | null;
}

/** A control of a dashboard: what the viewer chooses by it reaches the queries of tiles. */
export type Control = FilterControl | GrainControl | FieldControl | ParentControl;

/** A condition that is put into the queries of its view or cube. */
export interface FilterChoice {
  readonly kind: 'filter';
  readonly title: string;
  readonly member: string;
  readonly type: MemberType | null;
  /** Null for nothing. */
  readonly condition: FilterCondition | null;
  /** Id of the control that it was chosen by; null where there is none. */
  readonly control: string | null;
  /** Id of the widget whose mark was chosen, which is not filtered by it itself; null where it was not chosen by a mark. */
  readonly from: string | null;
  /** What several marks keep, in the words of the Data API, where it takes more than a condition on one member to say it. */
  readonly told?: Filter;
}

/** A granularity, or null for each report's own. */
export interface GrainChoice {
  readonly kind: 'grain';
  readonly title: string;
  readonly member: string;
  readonly value: string | null;
  readonly control: string | null;
}

/** A member that stands in the place of `member`; null for itself. */
export interface FieldChoice {
  readonly kind: 'field';
  readonly title: string;
  readonly member: string;
  readonly value: string | null;
  readonly control: string | null;
}

/** The time zone that dates are read and grouped in, in the place of a report's own. */
export interface TimezoneChoice {
  readonly kind: 'timezone';
  readonly value: string;
}

/** What a dashboard puts into the query of a report. */
export type Choice = FilterChoice | GrainChoice | FieldChoice | TimezoneChoice;

/**
 * Why a choice doesn't reach a report that uses its member: the report is run as its SQL stands; two granularities of one time would
 * become one; the member that was chosen stands in the report already; or the condition can't be told to the Data API.
 */
export type IgnoredReason = 'sql' | 'grains' | 'taken' | ConditionProblem;

/** A choice that doesn't reach a report. */
export interface IgnoredChoice {
  /** Title of the control. */
  readonly title: string;
  readonly reason: IgnoredReason;
}

/** A query as the controls of its dashboard leave it. */
export interface ControlledQuery {
  readonly query: Query;
  /** The key of the rows that stands for a key which the query had before; the other keys are the same. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Choices on a member that the query uses in a way they can't reach. */
  readonly ignored: readonly IgnoredChoice[];
}

/**
 * Puts what is chosen into a query, before anything is aggregated. A filter reaches every query of its own view or cube; a granularity
 * those that are grouped by its member; a member takes the place of another wherever rows are grouped or measured by that one, while
 * filters on it stay.
 */
export function withChoices(query: Query, choices: readonly Choice[]): ControlledQuery {
  const { filters, ignored: unfit } = chosenFilters(viewsOf(query), choices);
  const { renamed, ignored: ungrouped } = chosenKeys(query, choices);
  const timezone = choices.find(choice => choice.kind === 'timezone')?.value;
  const filtered = filters.length > 0 ? { ...query, filters: [...(query.filters ?? []), ...filters] } : query;
  const zoned = timezone === undefined || timezone === query.timezone ? filtered : { ...filtered, timezone };
  return {
    query: renamed.size > 0 ? regrouped(zoned, renamed) : zoned,
    renamed,
    ignored: [...unfit, ...ungrouped],
  };
}

/**
 * The choices that one tile follows: not those that were made on itself, nor those of a control that its author took it away from; of
 * a control that stands for another member of this report, under that member.
 * @param mapping - `controls` of the tile's widget, by the ids of controls.
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

/** Titles of what a report that is run as its SQL stands doesn't follow. */
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
    const told = choice.told
      ? { filters: [choice.told] }
      : conditionFilters(choice.member, choice.condition, choice.type);
    if ('filters' in told) filters.push(...told.filters);
    else ignored.push({ title: choice.title, reason: told.problem });
  }
  return { filters, ignored };
}

/** Granularities come before members: a time whose granularity was chosen keeps it when another time takes its place. */
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
    // Two granularities of one time would become one.
    if (grouped.length > 1) ignored.push({ title, reason: 'grains' });
    else if (key !== undefined) renamed.set(key, `${member}.${value}`);
  }
  let fields = choices.filter((choice): choice is FieldChoice => choice.kind === 'field' && choice.value !== null);
  const named = (): [string, string][] => {
    const replaced = new Map(fields.map(({ member, value }) => [member, value ?? member]));
    return keys.map(key => [key, withMember(renamed.get(key) ?? key, replaced)]);
  };
  // Two columns of one name would be one: a choice that makes them is left out, and the others are seen anew without it.
  for (let taken = takenBy(fields, named()); taken !== undefined; taken = takenBy(fields, named())) {
    const { title, member } = taken;
    ignored.push({ title, reason: 'taken' });
    fields = fields.filter(field => field.member !== member);
  }
  return { renamed: new Map(named().filter(([key, now]) => now !== key)), ignored };
}

/** A choice by which a key gets the name that another key has. */
function takenBy(
  fields: readonly FieldChoice[],
  named: readonly (readonly [string, string])[],
): FieldChoice | undefined {
  const names = named.map(([, now]) => now);
  const collides = ([key, now]: readonly [string, string]) =>
    now !== key && names.indexOf(now) !== names.lastIndexOf(now);
  return fields.find(({ member }) => named.some(name => memberOf(name[0]) === member && collides(name)));
}

/** A key of rows with another member, and the granularity that it had. */
function withMember(key: string, replaced: ReadonlyMap<string, string>): string {
  const member = memberOf(key);
  const next = replaced.get(member);
  return next === undefined ? key : `${next}${key.slice(member.length)}`;
}

function memberOf(key: string): string {
  return key.split('.', 2).join('.');
}

/** The granularity that a key of rows has, where it is one of this time dimension. */
function granularityOf(key: string, member: string): string | null {
  return key.startsWith(`${member}.`) ? key.slice(member.length + 1) : null;
}

function regrouped(query: Query, renamed: ReadonlyMap<string, string>): Query {
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
