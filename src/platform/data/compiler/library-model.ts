import type { EntityDefinition, ModelDefinition } from '../model/definition.js';
import type { CubeSource } from '../model/model-schema.js';
import type { ModelSources } from '../model/model-sources.js';
import { parseTemplate } from '../model/references.js';
import { missingKeyName } from '../model/reserved-words.js';

/**
 * The key of a cube without a declared key. The library requires a key for every join, but reads it only if the join
 * multiplies the cube's rows. Queries with such joins are rejected, because their sums would be wrong.
 */
export const missingKey = { sql: `${missingKeyName}()`, type: 'string', primary_key: true } as const;

/** Code that is printed verbatim. */
class Code {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in the generated model code. */
type Printable =
  | Code
  | string
  | number
  | boolean
  | undefined
  | readonly Printable[]
  | { readonly [key: string]: Printable };

/** A model in the library's format. */
interface LibraryModel {
  /** Definitions of the cubes by name. */
  readonly cubes: ReadonlyMap<string, string>;
  /** The definitions of all cubes and views. */
  readonly content: string;
}

/**
 * Returns the model in the library's format. It is JavaScript, because the library parses every YAML string as an
 * expression, which takes ten times as long. The code has the form that the library's transpiler would produce, in
 * which every piece of SQL is a function of the cubes that it references. All names have been validated as identifiers,
 * and only checked references in a member's SQL become code. The table names in the model exist in no engine, so SQL
 * that bypasses the row filters fails.
 */
export function libraryModel({ cubes }: ModelSources, { entities }: ModelDefinition): LibraryModel {
  const isCube = (name: string) => cubes.has(name);
  const definitions = new Map(
    [...cubes.values()].map(({ source }) => {
      const definition = print(libraryCube(source, sql => template(sql, isCube)));
      return [source.name, `cube(${JSON.stringify(source.name)}, ${definition});`];
    }),
  );
  const views = [...entities.values()]
    .filter(({ type }) => type === 'view')
    .map(view => `view(${JSON.stringify(view.name)}, ${print(libraryView(view))});`);
  return { cubes: definitions, content: [...definitions.values(), ...views].join('\n') };
}

function libraryCube(source: CubeSource, sqlOf: (sql: string) => Code): Printable {
  const { joins = [], dimensions = [], measures = [], segments = [] } = source;
  const known = byName(dimensions, ({ sql, type, primary_key, granularities, sub_query }) => ({
    sql: sqlOf(sql),
    type,
    primary_key,
    sub_query,
    granularities:
      granularities && byName(granularities, ({ interval, offset, origin }) => ({ interval, offset, origin })),
  }));
  const hasKey = dimensions.some(dimension => dimension.primary_key);
  return {
    sql_table: new Code('() => `table_without_row_filter`'),
    joins: byName(joins, ({ sql, relationship }) => ({ sql: sqlOf(sql), relationship })),
    dimensions: hasKey ? known : { ...known, [missingKeyName]: { ...missingKey, sql: sqlOf(missingKey.sql) } },
    measures: byName(measures, ({ sql, type, filters, rolling_window }) => ({
      sql: sql === undefined ? undefined : sqlOf(sql),
      type,
      filters: filters?.map(filter => ({ sql: sqlOf(filter.sql) })),
      rolling_window,
    })),
    segments: byName(segments, ({ sql }) => ({ sql: sqlOf(sql) })),
  };
}

/** Returns a view that lists every member with its join path. */
function libraryView(view: EntityDefinition): Printable {
  const cubes = new Map<string, { name: string; alias: string }[]>();
  for (const { name, target = '', joinPath = '' } of view.members.values()) {
    const includes = cubes.get(joinPath) ?? [];
    includes.push({ name: target.slice(target.indexOf('.') + 1), alias: name });
    cubes.set(joinPath, includes);
  }
  return {
    cubes: [...cubes].map(([path, includes]) => ({
      includes,
      join_path: new Code(`(${path.split('.')[0]}) => ${path}`),
    })),
  };
}

function byName<T extends { readonly name: string }>(
  list: readonly T[],
  print: (one: T) => Printable,
): { readonly [name: string]: Printable } {
  return Object.fromEntries(list.map(one => [one.name, print(one)]));
}

/**
 * Returns a function that renders SQL as a template literal. References become code, all other text is escaped. An
 * unqualified name is resolved as a member of the cube, so that it cannot refer to a JavaScript global.
 */
function template(sql: string, isCube: (name: string) => boolean): Code {
  const roots = new Set<string>();
  const pieces = (parseTemplate(sql) ?? []).map(piece => {
    if (typeof piece === 'string') return piece.replace(/[\\`$]/g, '\\$&').replaceAll('\r', '\\r');
    const [first = ''] = piece;
    const root = isCube(first) ? first : 'CUBE';
    roots.add(root);
    return `\${${[...(root === first ? [] : ['CUBE']), ...piece].join('.')}}`;
  });
  return new Code(`(${[...roots].join(', ')}) => \`${pieces.join('')}\``);
}

function print(value: Printable): string {
  if (value === undefined) return 'undefined';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(print).join(', ')}]`;
  if (value instanceof Code) return value.text;
  const given = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${given.map(([key, one]) => `${JSON.stringify(key)}: ${print(one)}`).join(', ')}}`;
}

function isList(value: object): value is readonly Printable[] {
  return Array.isArray(value);
}
