import {
  type DimensionDefinition,
  type EntityDefinition,
  type Folder,
  type Hierarchy,
  type MemberDefinition,
  MemberKind,
} from './definition.js';
import { formatOf, titleize } from './labels.js';
import type { Located, SourcePath } from './model-files.js';
import type { FolderSource, ViewSource } from './model-schema.js';
import { isReserved } from './reserved-words.js';
import { descriptiveFields } from './resolve-cube.js';
import { viewHierarchies } from './resolve-hierarchy.js';
import { resolvePolicy } from './resolve-policy.js';

/** Validates the folders of a view and resolves their members. */
function resolveFolders(
  { source, report }: Located<ViewSource>,
  members: ReadonlyMap<string, MemberDefinition>,
): Folder[] {
  const ownMember = (name: string, path: SourcePath): string[] => {
    const member = members.get(name);
    if (member === undefined) report(path, `${name} is not a member of ${source.name}`);
    return member === undefined ? [] : [member.path];
  };
  const joined = (joinPath: string, path: SourcePath): string[] => {
    const found = [...members.values()].filter(member => member.joinPath === joinPath);
    if (found.length === 0) report(path, `${joinPath} is not a join_path of ${source.name}`);
    return found.map(member => member.path);
  };
  const folder = ({ name, includes }: FolderSource, path: SourcePath): Folder => {
    if (includes === '*') return { name, members: [...members.values()].map(member => member.path) };
    const items = includes.flatMap((item, index): readonly (string | Folder)[] => {
      const at = [...path, 'includes', index];
      if (typeof item === 'string') return ownMember(item, at);
      return 'join_path' in item ? joined(item.join_path, at) : [folder(item, at)];
    });
    return { name, members: [...new Set(items)] };
  };
  const names = new Set<string>();
  return (source.folders ?? []).map((one, index) => {
    if (names.has(one.name)) report(['folders', index], `${one.name} is already the name of another folder`);
    names.add(one.name);
    return folder(one, ['folders', index]);
  });
}

type Part = ViewSource['cubes'][number];
type Include = Exclude<Exclude<Part['includes'], '*'>[number], string>;

/** The cubes from which views are built. */
interface ViewScope {
  readonly cubes: ReadonlyMap<string, EntityDefinition>;
  hasJoin(from: string, to: string): boolean;
}

/** Validates a view and resolves its members. Each refers to a member of a cube. */
export function resolveView(scope: ViewScope, { source, report }: Located<ViewSource>): EntityDefinition {
  const title = source.title ?? titleize(source.name);
  const pathsByStep = new Map<string, string>();
  const members = new Map<string, MemberDefinition>();
  const hierarchies = new Map<string, Hierarchy>();
  source.cubes.forEach((part, index) => {
    const at = ['cubes', index];
    const steps = part.join_path.split('.');
    const cube = scope.cubes.get(steps.at(-1) ?? '');
    const broken = steps.findIndex((step, place) => place > 0 && !scope.hasJoin(steps[place - 1] ?? '', step));
    if (cube === undefined || !scope.cubes.has(steps[0] ?? '') || broken > 0) {
      report([...at, 'join_path'], `${part.join_path} is not a path of joined cubes`);
      return;
    }
    const other = conflictingPath(pathsByStep, steps);
    if (other !== undefined)
      report([...at, 'join_path'], `${other} leads to the same cube: use one path, or join a cube that extends it`);
    for (const include of includesOf(part, cube, (path, message) => report([...at, ...path], message))) {
      const own = include.alias ?? include.name;
      const name = part.prefix === true ? `${part.alias ?? cube.name}_${own}` : own;
      const hierarchy = hierarchyOf(cube, include.name);
      if (hierarchy !== undefined) hierarchies.set(name, { ...hierarchy, ...descriptiveFields(include, ['title']) });
      const target = cube.members.get(include.name);
      if (target === undefined) continue;
      if (members.has(name) || isReserved(name))
        report(at, `${name} is already in the view: exclude it or set an alias`);
      else members.set(name, viewMember(source.name, title, name, target, include, steps));
    }
  });
  const mappedMembers = mapPaths(members);
  const onFilter = (member: DimensionDefinition, path: SourcePath) => {
    if (member.subQuery) report(path, `${member.path} is a sub_query: filter by a plain dimension`);
  };
  const viewScope = { entity: source.name, members: mappedMembers, report, onFilter };
  const policies = (source.access_policy ?? []).map((policy, index) =>
    resolvePolicy(viewScope, policy, ['access_policy', index]),
  );
  const described = descriptiveFields(source, ['description', 'meta']);
  return {
    name: source.name,
    type: 'view',
    title,
    public: source.public ?? true,
    policies,
    members: mappedMembers,
    hierarchies: viewHierarchies(source.name, hierarchies, mappedMembers),
    folders: resolveFolders({ source, report }, mappedMembers),
    joins: [],
    ...described,
  };
}

/** Returns a different path from the same cube to one of the steps, which makes the join ambiguous. */
function conflictingPath(pathsByStep: Map<string, string>, steps: readonly string[]): string | undefined {
  for (const [index, step] of steps.entries()) {
    const key = `${steps[0]} ${step}`;
    const path = steps.slice(0, index + 1).join('.');
    const previous = pathsByStep.get(key);
    if (previous !== undefined && previous !== path) return previous;
    pathsByStep.set(key, path);
  }
  return undefined;
}

/**
 * Returns the members that a view includes from a cube. `*` includes the public members; private members, such as keys,
 * must be listed by name.
 */
function includesOf(
  part: Part,
  cube: EntityDefinition,
  report: (path: SourcePath, message: string) => void,
): Include[] {
  const unknown = (name: string) => `${name} is not a member of ${cube.name}`;
  for (const [index, name] of (part.excludes ?? []).entries()) {
    if (!isKnown(cube, name)) report(['excludes', index], unknown(name));
  }
  const included = part.includes === '*' ? allOf(cube) : listedOf(cube, part.includes);
  if (part.includes !== '*') {
    for (const [index, { name }] of included.entries())
      if (!isKnown(cube, name)) report(['includes', index], unknown(name));
  }
  return included.filter(({ name }) => part.excludes?.includes(name) !== true);
}

function hierarchyOf(cube: EntityDefinition, name: string): Hierarchy | undefined {
  return cube.hierarchies.find(hierarchy => hierarchy.path === `${cube.name}.${name}`);
}

function isKnown(cube: EntityDefinition, name: string): boolean {
  return cube.members.has(name) || hierarchyOf(cube, name) !== undefined;
}

function allOf(cube: EntityDefinition): Include[] {
  const hierarchies = cube.hierarchies.filter(hierarchy => hierarchy.public);
  const members = [...cube.members.values()].filter(member => member.public);
  const nameOf = (path: string) => path.slice(cube.name.length + 1);
  return [...members, ...hierarchies].map(({ path }) => ({ name: nameOf(path) }));
}

/** Returns the listed members. A listed hierarchy adds its levels, except private ones. */
function listedOf(cube: EntityDefinition, includes: Exclude<Part['includes'], '*'>): Include[] {
  const named = includes.map(include => (typeof include === 'string' ? { name: include } : include));
  const includedNames = new Set(named.map(({ name }) => name));
  const levels = named.flatMap(({ name }) => hierarchyOf(cube, name)?.levels ?? []);
  const more = levels.flatMap(path => {
    const [entity, name = ''] = path.split('.');
    return entity === cube.name && !includedNames.has(name) && cube.members.get(name)?.public === true ? [name] : [];
  });
  return [...named, ...[...new Set(more)].map(name => ({ name }))];
}

function viewMember(
  view: string,
  viewTitle: string,
  name: string,
  target: MemberDefinition,
  include: Include,
  steps: readonly string[],
): MemberDefinition {
  const defaultTitle = target.shortTitle === titleize(target.name) ? titleize(name) : target.shortTitle;
  const shortTitle = include.title ?? defaultTitle;
  const format = target.kind === 'segment' ? undefined : formatOf(include.format, target.type);
  return {
    ...target,
    path: `${view}.${name}`,
    entity: view,
    name,
    shortTitle,
    title: `${viewTitle} ${shortTitle}`,
    public: true,
    reads: new Set([...steps, ...target.reads]),
    target: target.path,
    joinPath: steps.join('.'),
    ...descriptiveFields(include, ['description', 'meta']),
    ...(format === undefined ? {} : { format }),
  };
}

/** Maps references between members to the names in the view; drops members that the view omits. */
function mapPaths(members: ReadonlyMap<string, MemberDefinition>): ReadonlyMap<string, MemberDefinition> {
  const paths = new Map([...members.values()].map(member => [member.target, member.path]));
  const mapped = new Map(members);
  for (const [name, member] of members) {
    if (member.kind === MemberKind.measure)
      mapped.set(name, { ...member, drillMembers: member.drillMembers.flatMap(path => paths.get(path) ?? []) });
    if (member.kind === MemberKind.dimension && member.key !== undefined) {
      const { key: target, ...dimension } = member;
      const key = paths.get(target);
      mapped.set(name, { ...dimension, ...(key === undefined ? {} : { key }) });
    }
  }
  return mapped;
}
