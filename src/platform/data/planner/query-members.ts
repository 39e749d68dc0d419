import type { Query, TimeDimension } from '../../../contract/query.js';
import { PlatformError } from '../../errors.js';
import type { Access } from '../model/access-control.js';
import { type AnnotatedColumn, hasGranularity } from '../model/annotation.js';
import { type DimensionDefinition, type MemberDefinition, MemberKind } from '../model/definition.js';
import { type DateScope, type LocalRange, localRange } from '../time/relative-dates.js';

/** Resolves the members of a query among those that are visible to the caller, and collects them. */
export class QueryMembers {
  readonly #access: Access;
  readonly #named = new Set<MemberDefinition>();

  constructor(access: Access) {
    this.#access = access;
  }

  /** All members resolved so far, in any part of the query. */
  get named(): ReadonlySet<MemberDefinition> {
    return this.#named;
  }

  /** @throws PlatformError 400 for an unknown or hidden member. */
  one(path: string): MemberDefinition {
    const member = this.#access.members.get(path);
    if (member === undefined) throw new PlatformError(400, `${path} is not a member of the model`);
    this.#named.add(member);
    return member;
  }

  /**
   * Resolves members of one kind and removes duplicates.
   * @throws PlatformError 400 for unknown and hidden members, and for members of another kind.
   */
  all<K extends MemberKind>(paths: readonly string[] = [], kind: K): Extract<MemberDefinition, { kind: K }>[] {
    return [...new Set(paths)].map(path => {
      const member = this.one(path);
      if (!isKind(member, kind)) throw new PlatformError(400, `${path} is not a ${kind}`);
      return member;
    });
  }

  /**
   * Resolves a time dimension.
   * @throws PlatformError 400 for unknown and hidden members, for other members, and for an unknown granularity.
   */
  time(path: string, granularity?: string): DimensionDefinition {
    const member = this.one(path);
    if (!isKind(member, MemberKind.dimension) || member.type !== 'time')
      throw new PlatformError(400, `${path} is not a time dimension`);
    if (granularity !== undefined && !hasGranularity(member, granularity)) {
      throw new PlatformError(400, `${path} has no granularity ${granularity}`);
    }
    return member;
  }
}

function isKind<K extends MemberKind>(
  member: MemberDefinition,
  kind: K,
): member is Extract<MemberDefinition, { kind: K }> {
  return member.kind === kind;
}

/** A time dimension by which rows are grouped. */
type Grouping = AnnotatedColumn & { readonly member: DimensionDefinition; readonly granularity: string };

/** The dimensions by which rows are grouped, and the date ranges that restrict rows. */
export interface QueryGroups {
  readonly dimensions: readonly DimensionDefinition[];
  /** Time dimensions to group by, without duplicates. */
  readonly groupings: readonly Grouping[];
  readonly ranges: readonly { readonly dimension: string; readonly range: LocalRange }[];
  /**
   * Time dimensions as returned in responses, with absolute ranges. Includes time dimensions that the query lists in
   * `dimensions`.
   */
  readonly timeDimensions: TimeDimension[];
}

/**
 * Reads the dimensions and time dimensions of a query. `orders.created.month` in `dimensions` is the time dimension
 * `orders.created` by month.
 * @throws PlatformError 400 for an invalid time dimension and for unknown or hidden members.
 */
export function readGroups(members: QueryMembers, query: Query, scope: DateScope): QueryGroups {
  const { timeDimensions: requested = [] } = query;
  const paths = [...new Set(query.dimensions)];
  const groupings = new Map<string, Grouping>();
  const group = (dimension: string, granularity: string) => {
    groupings.set(`${dimension}.${granularity}`, { member: members.time(dimension, granularity), granularity });
  };
  const fromPaths = paths.filter(isGrouping).map(path => {
    const end = path.lastIndexOf('.');
    const timeDimension = { dimension: path.slice(0, end), granularity: path.slice(end + 1) };
    group(timeDimension.dimension, timeDimension.granularity);
    return timeDimension;
  });
  const ranges: { dimension: string; range: LocalRange }[] = [];
  const timeDimensions = requested.map((timeDimension): TimeDimension => {
    const { dimension, granularity } = timeDimension;
    if (typeof granularity === 'string') group(dimension, granularity);
    else members.time(dimension);
    const range = readRange(timeDimension, scope);
    if (range) ranges.push({ dimension, range });
    return { dimension, ...(granularity && { granularity }), ...(range && { dateRange: [...range] }) };
  });
  const isNew = ({ dimension, granularity }: TimeDimension) =>
    !timeDimensions.some(one => one.dimension === dimension && one.granularity === granularity);
  const dimensions = members.all(
    paths.filter(path => !isGrouping(path)),
    MemberKind.dimension,
  );
  timeDimensions.push(...fromPaths.filter(isNew));
  return { dimensions, groupings: [...groupings.values()], ranges, timeDimensions };
}

function isGrouping(path: string): boolean {
  return path.indexOf('.') !== path.lastIndexOf('.');
}

function readRange(
  { dimension, dateRange, compareDateRange }: TimeDimension,
  scope: DateScope,
): LocalRange | undefined {
  // Never reached over HTTP, because requests were already split into one query per range.
  if (compareDateRange !== undefined)
    throw new PlatformError(400, `compareDateRange of ${dimension} is not supported here: send a query for each range`);
  if (dateRange === undefined || dateRange === null) return undefined;
  const range = localRange(typeof dateRange === 'string' ? [dateRange] : dateRange, scope);
  if (range) return range;
  throw new PlatformError(
    400,
    `dateRange of ${dimension}: send a date such as 2001-01-31 or 2001-01-31T08:00:00, two dates, or a phrase such as last 7 days`,
  );
}
