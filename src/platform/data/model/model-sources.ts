import type { ModelProblem } from './model-error.js';
import type { Located, ModelFile, SourcePath } from './model-files.js';
import type { CubeSource, ViewSource } from './model-schema.js';
import { isReserved, isReservedForCubes } from './reserved-words.js';

type Report = Located<CubeSource>['report'];
/** Location of a list entry, for reporting problems. */
type Origin = { readonly report: Report; readonly index: number };
type Entries<T> = { readonly list: readonly T[] | undefined; readonly report: Report };

/**
 * Resolves `extends`: merges list entries by name, where the cube's entry overrides the inherited one, and inherits
 * every other property that the cube does not set. Policies are inherited only as a whole list, because merging two
 * lists would grant more access than each list alone.
 */
function extendCubes(cubes: ReadonlyMap<string, Located<CubeSource>>): Map<string, Located<CubeSource>> {
  const extended = new Map<string, Located<CubeSource>>();
  const extend = (cube: Located<CubeSource>, below: ReadonlySet<string>): Located<CubeSource> => {
    const { name, extends: base } = cube.source;
    const cached = extended.get(name);
    if (cached !== undefined || base === undefined) return cached ?? cube;
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
  const mergeLists = <T extends { name: string }>(inherited: T[] | undefined, own: T[] | undefined) =>
    mergeEntries({ list: inherited, report: parent.report }, { list: own, report });
  const lists = {
    dimensions: mergeLists(base.dimensions, source.dimensions),
    measures: mergeLists(base.measures, source.measures),
    segments: mergeLists(base.segments, source.segments),
    joins: mergeLists(base.joins, source.joins),
    hierarchies: mergeLists(base.hierarchies, source.hierarchies),
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
  const add = ({ list: entries = [], report }: Entries<T>, isIncluded: (entry: T) => boolean) => {
    for (const [index, entry] of entries.entries()) {
      if (!isIncluded(entry)) continue;
      list.push(entry);
      origins.push({ report, index });
    }
  };
  add(inherited, entry => !replaced.has(entry.name));
  add(own, () => true);
  return { list, origins };
}

/** All cubes and views of a model by name. */
export interface ModelSources {
  readonly cubes: ReadonlyMap<string, Located<CubeSource>>;
  readonly views: ReadonlyMap<string, Located<ViewSource>>;
}

/** Collects the cubes and views of all files. Names must be unique. */
export function collectSources(files: readonly ModelFile[], problems: ModelProblem[]): ModelSources {
  const cubes = new Map<string, Located<CubeSource>>();
  const views = new Map<string, Located<ViewSource>>();
  const reported = new Set<string>();
  /** Location of the first use of each name. A function, because finding it parses the file again. */
  const locations = new Map<string, () => string>();
  const add = <S extends { name: string }>(
    into: Map<string, Located<S>>,
    file: ModelFile,
    path: SourcePath,
    source: S,
  ) => {
    const report = (inner: SourcePath, message: string) => {
      const problem = file.problem([...path, ...inner], message);
      const key = JSON.stringify(problem);
      // Remove duplicates, because problems of a cube repeat in every cube that extends it.
      if (!reported.has(key)) problems.push(problem);
      reported.add(key);
    };
    const isTaken = into === cubes ? isReservedForCubes : isReserved;
    if (isTaken(source.name)) report(['name'], `${source.name} is a reserved name`);
    else if (locations.has(source.name))
      report(
        ['name'],
        `${source.name} is already the name of another cube or view: see ${locations.get(source.name)?.()}`,
      );
    else {
      locations.set(source.name, () => {
        const { file: name, line } = file.problem([...path, 'name'], '');
        return `${name}:${line}`;
      });
      into.set(source.name, { source, report });
    }
  };
  for (const file of files) {
    for (const [index, cube] of (file.source.cubes ?? []).entries()) add(cubes, file, ['cubes', index], cube);
    for (const [index, view] of (file.source.views ?? []).entries()) add(views, file, ['views', index], view);
  }
  return { cubes: extendCubes(cubes), views };
}
