import type { EntityDefinition, ModelDefinition } from './definition.js';
import type { CubeSource } from './model-source.js';
import type { ModelSources } from './model-sources.js';
import { missingKeyName } from './reserved-words.js';
import { parseTemplate } from './template.js';

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

/** Makes SQL of a model fit for the library. */
type Sql = (sql: string) => string;

/** The model as the library reads it. The table is a name that no engine has: SQL that went round our row filters could not run. */
export function libraryModel({ cubes }: ModelSources, { entities }: ModelDefinition): object {
  const inBraces: Sql = sql => librarySql(sql, name => cubes.has(name));
  return {
    cubes: [...cubes.values()].map(({ source }) => ({
      name: source.name,
      sql_table: 'table_without_row_filter',
      joins: source.joins?.map(join => ({ ...join, sql: inBraces(join.sql) })),
      dimensions: libraryDimensions(source, inBraces),
      measures: source.measures?.map(({ name, sql, type, filters, rolling_window }) => ({
        rolling_window,
        name,
        type,
        sql: sql === undefined ? undefined : inBraces(sql),
        filters: filters?.map(filter => ({ sql: inBraces(filter.sql) })),
      })),
      segments: source.segments?.map(({ name, sql }) => ({ name, sql: inBraces(sql) })),
    })),
    views: [...entities.values()].filter(({ type }) => type === 'view').map(libraryView),
  };
}

function libraryDimensions({ dimensions = [] }: CubeSource, inBraces: Sql): object[] {
  const known = dimensions.map(({ name, sql, type, primary_key, granularities, sub_query }) => ({
    name,
    sql: inBraces(sql),
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

/**
 * SQL as the library takes it. It reads it as a JavaScript template: a backslash would be taken for an escape, and a name in braces for
 * what JavaScript calls so, unless it is a part of something.
 */
function librarySql(sql: string, isCube: (name: string) => boolean): string {
  const pieces = (parseTemplate(sql) ?? []).map(piece => {
    if (typeof piece === 'string') return piece.replaceAll('\\', '\\\\');
    const [first = ''] = piece;
    return `{${[...(first === 'CUBE' || isCube(first) ? [] : ['CUBE']), ...piece].join('.')}}`;
  });
  return pieces.join('');
}
