import { type Hierarchy, type MemberDefinition, MemberKind } from './definition.js';
import { titleize } from './labels.js';
import type { Located, SourcePath } from './model-files.js';
import type { CubeSource } from './model-schema.js';
import type { References } from './references.js';
import { isReserved } from './reserved-words.js';

type HierarchySource = NonNullable<CubeSource['hierarchies']>[number];

/** Validates the hierarchies of a cube and resolves their levels, which may be dimensions of joined cubes. */
export function resolveHierarchies(
  references: References,
  { source, report }: Located<CubeSource>,
  members: ReadonlyMap<string, MemberDefinition>,
): Hierarchy[] {
  const names = new Set<string>();
  return (source.hierarchies ?? []).map((hierarchy, index) => {
    const path: SourcePath = ['hierarchies', index];
    const { name, title = titleize(name), levels } = hierarchy;
    if (isReserved(name)) report([...path, 'name'], `${name} is a reserved name`);
    else if (members.has(name) || names.has(name))
      report([...path, 'name'], `${name} is already the name of another member of ${source.name}`);
    names.add(name);
    const level = (levelName: string, place: number) => {
      const found = dimensionOf(references, source.name, levelName);
      if (found === undefined)
        report([...path, 'levels', place], `${levelName} is not a dimension that ${source.name} can reach by joins`);
      return found ?? levelName;
    };
    return { path: `${source.name}.${name}`, title, public: isPublic(hierarchy), levels: levels.map(level) };
  });
}

function isPublic({ public: shown = true }: HierarchySource): boolean {
  return shown;
}

/** Accepts `name`, `cube.name` and `{CUBE.name}`. */
function dimensionOf(references: References, cube: string, written: string): string | undefined {
  const parts = written.replace(/^\{\s*|\s*\}$/g, '').split('.');
  const reference = parts.length > 2 ? undefined : references.resolve(cube, parts);
  if (reference?.kind !== 'member' || !references.isDimension(reference.cube, reference.member)) return undefined;
  return references.path(cube, reference.cube) === undefined ? undefined : `${reference.cube}.${reference.member}`;
}

/**
 * Returns the hierarchies that a view includes, with the view's names of levels. Omits levels that the view omits.
 * @param included - the included members, each with its name in the view.
 */
export function viewHierarchies(
  view: string,
  included: ReadonlyMap<string, Hierarchy>,
  members: ReadonlyMap<string, MemberDefinition>,
): Hierarchy[] {
  const paths = new Map<string | undefined, string>();
  for (const { kind, target, path } of members.values()) if (kind === MemberKind.dimension) paths.set(target, path);
  return [...included].map(([name, hierarchy]) => ({
    ...hierarchy,
    path: `${view}.${name}`,
    target: hierarchy.path,
    levels: hierarchy.levels.flatMap(level => paths.get(level) ?? []),
  }));
}
