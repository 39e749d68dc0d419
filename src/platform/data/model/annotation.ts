import type { Annotation, MemberAnnotation } from '../../../contract/data.js';
import { addWallMonths } from '../../../report/dates/calendar-days.js';
import { isoTime } from '../time/time-zone.js';
import type { Access } from './access-control.js';
import { type DimensionDefinition, type Granularity, type MemberDefinition, MemberKind } from './definition.js';
import { formatDescriptionOf, titleize } from './labels.js';
import { isPredefined } from './references.js';
import { descriptiveFields } from './resolve-cube.js';

const monday = Date.UTC(2001, 0, 1);
const day = 86_400_000;
const unitMs: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000, day, week: 7 * day };
const months: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/**
 * Adds an origin to intervals of weeks if the model has none: a Monday plus the offset. Otherwise, clients that
 * generate axis values would count from January 1 and match no week.
 */
function withOrigin(granularity: Granularity): Granularity {
  const { offset = '', ...named } = granularity;
  // Intervals of more than one unit require an origin in the model.
  if (named.origin !== undefined || !/^1 weeks?$/.test(named.interval)) return granularity;
  return { ...named, origin: isoTime(addOffset(monday, offset)) };
}

function addOffset(time: number, offset: string): number {
  let result = time;
  for (const [, count = '', unit = ''] of offset.matchAll(/(-?\d+) (\w+?)s?(?= |$)/g)) {
    result = addWallMonths(result, Number(count) * (months[unit] ?? 0)) + Number(count) * (unitMs[unit] ?? 0);
  }
  return result;
}

/** A column of a query. */
export interface AnnotatedColumn {
  readonly member: MemberDefinition;
  /** Granularity of a grouped time dimension. */
  readonly granularity?: string;
}

/**
 * Returns the annotation of result columns (spec: `annotation` of `/v1/load`). Time dimensions are listed with their
 * granularity, and also by plain name for older clients.
 */
export function annotate(access: Access, columns: readonly AnnotatedColumn[]): Annotation {
  const annotation: Annotation = { measures: {}, dimensions: {}, segments: {}, timeDimensions: {} };
  for (const { member, granularity } of columns) {
    if (member.kind === MemberKind.measure) annotation.measures[member.path] = describeMember(access, member);
    else if (member.kind === MemberKind.segment)
      annotation.segments[member.path] = { ...memberTitles(member), type: 'boolean' };
    else if (granularity === undefined) annotation.dimensions[member.path] = describeMember(access, member);
    else {
      const described = describeMember(access, member);
      annotation.timeDimensions[`${member.path}.${granularity}`] = {
        ...described,
        granularity: granularityOf(member, granularity),
      };
      annotation.timeDimensions[member.path] = described;
    }
  }
  for (const path in annotation.dimensions) delete annotation.timeDimensions[path];
  return annotation;
}

/** Returns the titles and meta of a member. */
export function memberTitles({ title, shortTitle, ...member }: MemberDefinition) {
  return { title, shortTitle, ...descriptiveFields(member, ['meta']) };
}

/** Describes a member in responses and `/v1/meta`. */
export function describeMember(
  access: Access,
  member: Exclude<MemberDefinition, { kind: 'segment' }>,
): MemberAnnotation {
  const formatDescription = formatDescriptionOf(member.format, member.type, member.currency);
  const described = {
    ...memberTitles(member),
    type: member.type,
    ...descriptiveFields(member, ['format', 'currency']),
    ...(formatDescription && { formatDescription }),
  };
  if (member.kind !== MemberKind.measure) return described;
  const drilled = drillMembers(access, member);
  return { ...described, drillMembers: drilled, drillMembersGrouped: groupByKind(access, drilled) };
}

/** Returns the members of the drill-down query by kind. */
function groupByKind(access: Access, paths: readonly string[]): { measures: string[]; dimensions: string[] } {
  const isMeasure = (path: string) => access.members.get(path)?.kind === MemberKind.measure;
  return { measures: paths.filter(isMeasure), dimensions: paths.filter(path => !isMeasure(path)) };
}

/** Returns the drill members of a measure that are visible to the caller. */
function drillMembers(access: Access, member: Extract<MemberDefinition, { kind: 'measure' }>): string[] {
  return member.drillMembers.filter(path => access.members.has(path));
}

function granularityOf({ granularities }: DimensionDefinition, name: string): Granularity {
  const own = granularities.get(name);
  return own ? withOrigin(own) : { name, title: titleize(name), interval: `1 ${name}` };
}

/** Whether a time dimension can be grouped by a granularity. */
export function hasGranularity({ granularities }: DimensionDefinition, name: string): boolean {
  return granularities.has(name) || isPredefined(name);
}
