import type { Located } from './model-files.js';
import type { CubeSource } from './model-source.js';

type Report = Located<CubeSource>['report'];
/** Where an entry of a list was written. */
type Origin = { readonly report: Report; readonly index: number };
type Entries<T> = { readonly list: readonly T[] | undefined; readonly report: Report };

/**
 * Gives cubes what the cubes that they extend declare: entries of lists by name, so that a cube's own replaces an inherited one, and all
 * else where the cube itself declares nothing. Policies are inherited as the whole list or not at all: added to one another they would
 * open more than either means.
 */
export function extendCubes(cubes: ReadonlyMap<string, Located<CubeSource>>): Map<string, Located<CubeSource>> {
  const extended = new Map<string, Located<CubeSource>>();
  const extend = (cube: Located<CubeSource>, below: ReadonlySet<string>): Located<CubeSource> => {
    const { name, extends: base } = cube.source;
    const known = extended.get(name);
    if (known !== undefined || base === undefined) return known ?? cube;
    const parent = cubes.get(base);
    if (parent === undefined) cube.report(['extends'], `${base} is not a cube`);
    else if (below.has(base) || base === name) cube.report(['extends'], `${name} extends itself`);
    else return merge(cube, extend(parent, new Set([...below, name])));
    return cube;
  };
  for (const [name, cube] of cubes) extended.set(name, extend(cube, new Set()));
  return extended;
}

function merge({ source, report }: Located<CubeSource>, parent: Located<CubeSource>): Located<CubeSource> {
  const { extends: _, ...declared } = source;
  const { extends: __, sql, sql_table: table, ...base } = parent.source;
  const together = <T extends { name: string }>(inherited: T[] | undefined, own: T[] | undefined) =>
    mergeEntries({ list: inherited, report: parent.report }, { list: own, report });
  const lists = {
    dimensions: together(base.dimensions, source.dimensions),
    measures: together(base.measures, source.measures),
    segments: together(base.segments, source.segments),
    joins: together(base.joins, source.joins),
    hierarchies: together(base.hierarchies, source.hierarchies),
  };
  const origins = new Map<PropertyKey, readonly Origin[]>(
    Object.entries(lists).map(([key, part]) => [key, part.origins]),
  );
  const hasRows = source.sql !== undefined || source.sql_table !== undefined;
  return {
    source: {
      ...base,
      ...(hasRows || sql === undefined ? {} : { sql }),
      ...(hasRows || table === undefined ? {} : { sql_table: table }),
      ...declared,
      dimensions: lists.dimensions.list,
      measures: lists.measures.list,
      segments: lists.segments.list,
      joins: lists.joins.list,
      hierarchies: lists.hierarchies.list,
    },
    report: (path, message) => {
      const [key = '', index, ...rest] = path;
      const origin = typeof index === 'number' ? origins.get(key)?.[index] : undefined;
      if (origin !== undefined) origin.report([key, origin.index, ...rest], message);
      else if (Object.hasOwn(declared, key)) report(path, message);
      else parent.report(path, message);
    },
  };
}

function mergeEntries<T extends { name: string }>(inherited: Entries<T>, own: Entries<T>) {
  const list: T[] = [];
  const origins: Origin[] = [];
  const replaced = new Set(own.list?.map(entry => entry.name));
  const add = ({ list: entries = [], report }: Entries<T>, isKept: (entry: T) => boolean) => {
    for (const [index, entry] of entries.entries()) {
      if (!isKept(entry)) continue;
      list.push(entry);
      origins.push({ report, index });
    }
  };
  add(inherited, entry => !replaced.has(entry.name));
  add(own, () => true);
  return { list, origins };
}
