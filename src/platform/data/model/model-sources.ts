import { extendCubes } from './extend-cubes.js';
import type { ModelProblem } from './model-error.js';
import type { Located, ModelFile, SourcePath } from './model-files.js';
import type { CubeSource, ViewSource } from './model-source.js';
import { isReserved, isReservedForCubes } from './reserved-words.js';

/** All cubes and views of a model by name. */
export interface ModelSources {
  readonly cubes: ReadonlyMap<string, Located<CubeSource>>;
  readonly views: ReadonlyMap<string, Located<ViewSource>>;
}

/** Brings the cubes and views of all files together; a name may be used once. */
export function collectSources(files: readonly ModelFile[], problems: ModelProblem[]): ModelSources {
  const cubes = new Map<string, Located<CubeSource>>();
  const views = new Map<string, Located<ViewSource>>();
  const reported = new Set<string>();
  /** By name, where it was given first. */
  const places = new Map<string, string>();
  const add = <S extends { name: string }>(
    into: Map<string, Located<S>>,
    file: ModelFile,
    path: SourcePath,
    source: S,
  ) => {
    const report = (inner: SourcePath, message: string) => {
      const problem = file.problem([...path, ...inner], message);
      const key = JSON.stringify(problem);
      // What is wrong with a cube is wrong with every cube that extends it.
      if (!reported.has(key)) problems.push(problem);
      reported.add(key);
    };
    const isTaken = into === cubes ? isReservedForCubes : isReserved;
    if (isTaken(source.name)) report(['name'], `${source.name} is a reserved name`);
    else if (places.has(source.name))
      report(['name'], `${source.name} is the name of another cube or view: see ${places.get(source.name)}`);
    else {
      const { file: name, line } = file.problem([...path, 'name'], '');
      places.set(source.name, `${name}:${line}`);
      into.set(source.name, { source, report });
    }
  };
  for (const file of files) {
    for (const [index, cube] of (file.source.cubes ?? []).entries()) add(cubes, file, ['cubes', index], cube);
    for (const [index, view] of (file.source.views ?? []).entries()) add(views, file, ['views', index], view);
  }
  return { cubes: extendCubes(cubes), views };
}
