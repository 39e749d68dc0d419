import type { MetaCube, MetaResponse } from '../../../contract/data.js';
import type { MetaOptions } from '../semantic-model.js';
import type { Access } from './access.js';
import { describe, drillMembers, titles } from './annotate.js';
import { type DimensionDefinition, type Granularity, type MemberDefinition, MemberKind } from './definition.js';
import { describedBy } from './resolve-cube.js';

/** The model as far as a caller may see it (spec: `/v1/meta`). Names of what is hidden stand nowhere in it. */
export function metaOf(access: Access, version: string, { onlyViews = false }: MetaOptions = {}): MetaResponse {
  const cubes = new Map<string, MetaCube>();
  for (const { name, title, type, ...entity } of access.entities.values()) {
    if (onlyViews && type !== 'view') continue;
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

/** The cube's member behind a view's, where the caller may see that too. */
function alias(access: Access, { target }: MemberDefinition): { aliasMember?: string } {
  return target !== undefined && access.members.has(target) ? { aliasMember: target } : {};
}

function ownGranularities({ granularities }: DimensionDefinition): { granularities?: Granularity[] } {
  return granularities.size === 0 ? {} : { granularities: [...granularities.values()] };
}
