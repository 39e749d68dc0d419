import type { EntityDefinition, ModelDefinition, SqlTemplate } from './definition.js';
import type { ModelSources } from './model-sources.js';
import { References } from './references.js';
import { CubeResolver } from './resolve-cube.js';
import { resolveView } from './resolve-view.js';

/**
 * Checks the cubes and views of a model and resolves every name in them; what is wrong is reported through the sources.
 * @param tables - names of the tables that `sql_table` may name.
 */
export function resolveModel(sources: ModelSources, tables: readonly string[]): ModelDefinition {
  const filterColumns = new Map<string, SqlTemplate>();
  const resolver = new CubeResolver(new References(sources), tables, filterColumns);
  const cubes = new Map<string, EntityDefinition>();
  const from = new Map<string, string>();
  for (const [name, cube] of sources.cubes) {
    cubes.set(name, resolver.resolve(cube));
    from.set(name, resolver.table(cube));
  }
  const hasJoin = (one: string, other: string) =>
    sources.cubes.get(one)?.source.joins?.some(join => join.name === other) === true;
  const entities = new Map(cubes);
  for (const [name, view] of sources.views) entities.set(name, resolveView({ cubes, hasJoin }, view));
  return { entities, tables: from, filterColumns };
}
