import type { Annotation, MemberAnnotation } from '../../../contract/data.js';
import type { Access } from './access.js';
import { type DimensionDefinition, type Granularity, type MemberDefinition, MemberKind } from './definition.js';
import { withOrigin } from './granularity-origin.js';
import { formatDescriptionOf, titleize } from './labels.js';
import { isPredefined } from './references.js';
import { describedBy } from './resolve-cube.js';

/** A column of a query. */
export interface AnnotatedColumn {
  readonly member: MemberDefinition;
  /** Of a time dimension that is grouped by. */
  readonly granularity?: string;
}

/**
 * What the columns of an answer are (spec: `annotation` of `/v1/load`). A time dimension stands there by its granularity, and under
 * its plain name, by which clients used to look it up.
 */
export function annotate(access: Access, columns: readonly AnnotatedColumn[]): Annotation {
  const annotation: Annotation = { measures: {}, dimensions: {}, segments: {}, timeDimensions: {} };
  for (const { member, granularity } of columns) {
    if (member.kind === MemberKind.measure) annotation.measures[member.path] = describe(access, member);
    else if (member.kind === MemberKind.segment)
      annotation.segments[member.path] = { ...titles(member), type: 'boolean' };
    else if (granularity === undefined) annotation.dimensions[member.path] = describe(access, member);
    else {
      const described = describe(access, member);
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

/** Titles and meta of a member. */
export function titles({ title, shortTitle, ...member }: MemberDefinition) {
  return { title, shortTitle, ...describedBy(member, ['meta']) };
}

/** What a member is, as answers and `/v1/meta` say it. */
export function describe(access: Access, member: Exclude<MemberDefinition, { kind: 'segment' }>): MemberAnnotation {
  const formatDescription = formatDescriptionOf(member.format, member.type, member.currency);
  const described = {
    ...titles(member),
    type: member.type,
    ...describedBy(member, ['format', 'currency']),
    ...(formatDescription && { formatDescription }),
  };
  if (member.kind !== MemberKind.measure) return described;
  const behind = drillMembers(access, member);
  return { ...described, drillMembers: behind, drillMembersGrouped: grouped(access, behind) };
}

/** The parts of the query that shows what is behind a number. */
function grouped(access: Access, paths: readonly string[]): { measures: string[]; dimensions: string[] } {
  const isMeasure = (path: string) => access.members.get(path)?.kind === MemberKind.measure;
  return { measures: paths.filter(isMeasure), dimensions: paths.filter(path => !isMeasure(path)) };
}

/** The members behind a measure, as far as the caller may see them. */
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
