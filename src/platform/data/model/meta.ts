import type { MetaCube, MetaFolder, MetaHierarchy, MetaJoin, MetaResponse } from '../../../contract/meta.js';
import type { MetaOptions } from '../semantic-model.js';
import type { Access } from './access-control.js';
import { describeMember, memberTitles } from './annotation.js';
import {
  type DimensionDefinition,
  type EntityDefinition,
  type Folder,
  type Granularity,
  type Hierarchy,
  type MemberDefinition,
  MemberKind,
} from './definition.js';
import { descriptiveFields } from './resolve-cube.js';

const visible = { isVisible: true, public: true } as const;

/** Returns the model as visible to a caller (spec: `/v1/meta`). Contains no names of hidden members. */
export function metaOf(access: Access, version: string, { onlyViews = false }: MetaOptions = {}): MetaResponse {
  const cubes = new Map<string, MetaCube>();
  const components = connectedComponents(access);
  for (const entity of access.entities.values()) {
    if (onlyViews && entity.type !== 'view') continue;
    const texts = descriptiveFields(entity, ['description', 'meta']);
    const component = components.get(entity.name);
    cubes.set(entity.name, {
      name: entity.name,
      title: entity.title,
      type: entity.type,
      ...texts,
      ...visible,
      ...(component === undefined ? {} : { connectedComponent: component }),
      measures: [],
      dimensions: [],
      segments: [],
      hierarchies: entity.hierarchies.flatMap(hierarchy => metaHierarchy(access, hierarchy) ?? []),
      folders: visibleFolders(access, entity.folders).map(flattenFolder),
      nestedFolders: visibleFolders(access, entity.folders),
      ...(entity.type === 'cube' ? { joins: visibleJoins(access, entity) } : {}),
    });
  }
  for (const member of access.members.values()) {
    const cube = cubes.get(member.entity);
    if (cube !== undefined) addMember(access, cube, member);
  }
  return { cubes: [...cubes.values()], compilerId: version };
}

function addMember(access: Access, cube: MetaCube, member: MemberDefinition): void {
  const named = {
    name: member.path,
    ...visible,
    ...descriptiveFields(member, ['description']),
    ...alias(access, member),
  };
  if (member.kind === MemberKind.measure) {
    const { aggType, cumulative } = member;
    cube.measures.push({
      ...named,
      ...describeMember(access, member),
      aggType,
      cumulative,
      cumulativeTotal: cumulative,
    });
  } else if (member.kind === MemberKind.dimension) {
    const { primaryKey, suggestFilterValues, order } = member;
    cube.dimensions.push({
      ...named,
      ...describeMember(access, member),
      primaryKey,
      suggestFilterValues,
      ...(order === undefined ? {} : { order }),
      ...(member.key !== undefined && access.members.has(member.key) ? { key: member.key } : {}),
      ...ownGranularities(member),
    });
  } else cube.segments.push({ ...named, ...memberTitles(member) });
}

/** Returns the cube member that a view member refers to, if it is visible to the caller. */
function alias(access: Access, { target }: MemberDefinition): { aliasMember?: string } {
  return target !== undefined && access.members.has(target) ? { aliasMember: target } : {};
}

function ownGranularities({ granularities }: DimensionDefinition): { granularities?: Granularity[] } {
  return granularities.size === 0 ? {} : { granularities: [...granularities.values()] };
}

/** Returns a hierarchy with its visible levels, or `undefined` if no level is visible. */
function metaHierarchy(access: Access, hierarchy: Hierarchy): MetaHierarchy | undefined {
  const levels = hierarchy.levels.filter(path => access.members.has(path));
  if (!hierarchy.public || levels.length === 0) return undefined;
  const { path, title, target } = hierarchy;
  const cubeHierarchy = target === undefined ? undefined : hierarchyAt(access, target);
  const isVisible = cubeHierarchy !== undefined && metaHierarchy(access, cubeHierarchy) !== undefined;
  return { name: path, title, public: true, levels, ...(isVisible ? { aliasMember: cubeHierarchy.path } : {}) };
}

function hierarchyAt({ entities }: Access, path: string): Hierarchy | undefined {
  return entities.get(path.slice(0, path.indexOf('.')))?.hierarchies.find(hierarchy => hierarchy.path === path);
}

/** Returns folders without hidden members. Omits folders that have no visible members. */
function visibleFolders(access: Access, folders: readonly Folder[]): MetaFolder[] {
  return folders.flatMap(({ name, members }) => {
    const left = members.flatMap((member): (string | MetaFolder)[] => {
      if (typeof member !== 'string') return visibleFolders(access, [member]);
      return access.members.has(member) ? [member] : [];
    });
    return left.length === 0 ? [] : [{ name, members: left }];
  });
}

/** Returns a folder for clients that do not support nested folders. */
function flattenFolder(folder: MetaFolder): { name: string; members: string[] } {
  const all = (members: MetaFolder['members']): string[] =>
    members.flatMap(member => (typeof member === 'string' ? [member] : all(member.members)));
  return { name: folder.name, members: [...new Set(all(folder.members))] };
}

function visibleJoins({ entities }: Access, { joins }: EntityDefinition): MetaJoin[] {
  return joins.filter(({ name }) => entities.has(name)).map(join => ({ ...join }));
}

/** Assigns a number to each group of joinable cubes. Hidden cubes do not connect groups. */
function connectedComponents(access: Access): ReadonlyMap<string, number> {
  const neighbours = new Map<string, Set<string>>();
  const connect = (one: string, other: string) => neighbours.get(one)?.add(other);
  for (const { name, type } of access.entities.values()) if (type === 'cube') neighbours.set(name, new Set());
  for (const entity of access.entities.values()) {
    for (const { name } of visibleJoins(access, entity)) {
      connect(entity.name, name);
      connect(name, entity.name);
    }
  }
  const components = new Map<string, number>();
  let count = 0;
  for (const start of neighbours.keys()) {
    if (components.has(start)) continue;
    count += 1;
    const open = new Set([start]);
    for (const name of open) {
      components.set(name, count);
      for (const next of neighbours.get(name) ?? []) open.add(next);
    }
  }
  return components;
}
