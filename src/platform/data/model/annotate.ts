import type { Annotation, MemberAnnotation, MetaCube, MetaResponse } from '../../../contract/data.js';
import type { Access } from './access.js';
import { type DimensionDefinition, type Granularity, type MemberDefinition, MemberKind } from './definition.js';
import { titleize } from './labels.js';
import { isPredefined } from './references.js';
import { describedBy } from './resolve-cube.js';

/** A column of a query. */
export interface AnnotatedColumn {
  readonly member: MemberDefinition;
  /** Of a time dimension that is grouped by. */
  readonly granularity?: string;
}

/** What the columns of an answer are (spec: `annotation` of `/v1/load`). */
export function annotate(access: Access, columns: readonly AnnotatedColumn[]): Annotation {
  const annotation: Annotation = { measures: {}, dimensions: {}, segments: {}, timeDimensions: {} };
  for (const { member, granularity } of columns) {
    if (member.kind === MemberKind.measure) annotation.measures[member.path] = describe(access, member);
    else if (member.kind === MemberKind.segment)
      annotation.segments[member.path] = { ...titles(member), type: 'boolean' };
    else if (granularity === undefined) annotation.dimensions[member.path] = describe(access, member);
    else {
      const described = { ...describe(access, member), granularity: granularityOf(member, granularity) };
      annotation.timeDimensions[`${member.path}.${granularity}`] = described;
    }
  }
  return annotation;
}

/** The model as far as a caller may see it (spec: `/v1/meta`). Names of what is hidden stand nowhere in it. */
export function metaOf(access: Access, version: string): MetaResponse {
  const cubes = new Map<string, MetaCube>();
  for (const { name, title, type, ...entity } of access.entities.values()) {
    const described = describedBy(entity, ['description', 'meta']);
    cubes.set(name, {
      name,
      title,
      type,
      ...described,
      isVisible: true,
      public: true,
      measures: [],
      dimensions: [],
      segments: [],
    });
  }
  for (const member of access.members.values()) {
    const cube = cubes.get(member.entity);
    const named = {
      name: member.path,
      isVisible: true,
      public: true,
      ...describedBy(member, ['description']),
      ...alias(access, member),
    };
    if (member.kind === MemberKind.measure) {
      const { aggType } = member;
      cube?.measures.push({
        ...named,
        ...describe(access, member),
        drillMembers: drillMembers(access, member),
        aggType,
      });
    } else if (member.kind === MemberKind.dimension) {
      cube?.dimensions.push({
        ...named,
        ...describe(access, member),
        primaryKey: member.primaryKey,
        ...ownGranularities(member),
      });
    } else cube?.segments.push({ ...named, ...titles(member) });
  }
  return { cubes: [...cubes.values()], compilerId: version };
}

function titles({ title, shortTitle, ...member }: MemberDefinition) {
  return { title, shortTitle, ...describedBy(member, ['meta']) };
}

function describe(access: Access, member: Exclude<MemberDefinition, { kind: 'segment' }>): MemberAnnotation {
  const described = { ...titles(member), type: member.type, ...describedBy(member, ['format', 'currency']) };
  return member.kind === MemberKind.measure ? { ...described, drillMembers: drillMembers(access, member) } : described;
}

function drillMembers(access: Access, member: Extract<MemberDefinition, { kind: 'measure' }>): string[] {
  return member.drillMembers.filter(path => access.members.has(path));
}

/** The cube's member behind a view's, where the caller may see that too. */
function alias(access: Access, { target }: MemberDefinition): { aliasMember?: string } {
  return target !== undefined && access.members.has(target) ? { aliasMember: target } : {};
}

function ownGranularities({ granularities }: DimensionDefinition): { granularities?: Granularity[] } {
  return granularities.size === 0 ? {} : { granularities: [...granularities.values()] };
}

function granularityOf({ granularities }: DimensionDefinition, name: string): Granularity {
  return granularities.get(name) ?? { name, title: titleize(name), interval: `1 ${name}` };
}

/** Whether a time dimension can be grouped by a granularity. */
export function hasGranularity({ granularities }: DimensionDefinition, name: string): boolean {
  return granularities.has(name) || isPredefined(name);
}
