import type { EntityDefinition, ModelDefinition } from './definition.js';
import type { CubeSource } from './model-source.js';
import { type ModelSources, missingKeyName } from './model-sources.js';

/**
 * The key of a cube that declares none. The library asks for a key wherever there is a join, though it reads it only where the join multiplies
 * the cube's rows: there the query is refused, since its sums would be wrong.
 */
export const missingKey = {
  name: missingKeyName,
  sql: `${missingKeyName}()`,
  type: 'string',
  primary_key: true,
} as const;

/** The model as the library reads it. The table is a name that no engine has: SQL that went round our row filters could not run. */
export function libraryModel({ cubes }: ModelSources, { entities }: ModelDefinition): object {
  return {
    cubes: [...cubes.values()].map(({ source }) => ({
      name: source.name,
      sql_table: 'table_without_row_filter',
      joins: source.joins?.map(join => ({ ...join, sql: escaped(join.sql) })),
      dimensions: libraryDimensions(source),
      measures: source.measures?.map(({ name, sql, type, filters, rolling_window }) => ({
        rolling_window,
        name,
        type,
        sql: sql === undefined ? undefined : escaped(sql),
        filters: filters?.map(filter => ({ sql: escaped(filter.sql) })),
      })),
      segments: source.segments?.map(({ name, sql }) => ({ name, sql: escaped(sql) })),
    })),
    views: [...entities.values()].filter(({ type }) => type === 'view').map(libraryView),
  };
}

function libraryDimensions({ dimensions = [] }: CubeSource): object[] {
  const known = dimensions.map(({ name, sql, type, primary_key, granularities, sub_query }) => ({
    name,
    sql: escaped(sql),
    type,
    primary_key,
    sub_query,
    granularities: granularities?.map(({ title: _, ...granularity }) => granularity),
  }));
  return dimensions.some(dimension => dimension.primary_key) ? known : [...known, missingKey];
}

/** A view with every member named, each by the path of cubes that leads to it. */
function libraryView(view: EntityDefinition): object {
  const cubes = new Map<string, { name: string; alias: string }[]>();
  for (const { name, target = '', joinPath = '' } of view.members.values()) {
    const includes = cubes.get(joinPath) ?? [];
    includes.push({ name: target.slice(target.indexOf('.') + 1), alias: name });
    cubes.set(joinPath, includes);
  }
  return { name: view.name, cubes: [...cubes].map(([path, includes]) => ({ join_path: path, includes })) };
}

/** The library reads SQL as a JavaScript template: a backslash would be taken for an escape. */
function escaped(sql: string): string {
  return sql.replaceAll('\\', '\\\\');
}
