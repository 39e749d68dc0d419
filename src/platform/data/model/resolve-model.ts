import type { MemberFormat } from '../../../contract/data.js';
import { MemberType } from './conditions.js';
import type { EntityDefinition, ModelDefinition, SqlTemplate } from './definition.js';
import { formatOf, plainFormats } from './labels.js';
import type { Located } from './model-files.js';
import type { CubeSource, ViewSource } from './model-schema.js';
import type { ModelSources } from './model-sources.js';
import { References } from './references.js';
import { CubeResolver } from './resolve-cube.js';
import { resolveView } from './resolve-view.js';

/**
 * Validates the cubes and views of a model and resolves their references. Reports problems through the sources.
 * @param tables - table names that `sql_table` may use.
 * @param reveal - returns the value of a `sql_table` that contains environment variables.
 */
export function resolveModel(
  sources: ModelSources,
  tables: readonly string[],
  reveal: (table: string) => string = table => table,
): ModelDefinition {
  const filterColumns = new Map<string, SqlTemplate>();
  const resolver = new CubeResolver(new References(sources), { tables, reveal }, filterColumns);
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

/** A d3 number format. */
const numberPattern = /^(?:.?[<>=^])?[+\-( ]?[$#]?0?\d*,?(?:\.\d+)?~?[a-z%]?$/i;

/**
 * Warns about models that compile but are probably misconfigured. Reports the warnings through the sources, as for
 * problems.
 */
export function warnAboutModel({ cubes, views }: ModelSources): void {
  for (const cube of cubes.values()) {
    adviseOnPolicy(cube);
    adviseOnFormats(cube);
  }
  for (const view of views.values()) adviseOnPolicy(view);
}

function adviseOnPolicy({ source: { name, access_policy }, report }: Located<CubeSource | ViewSource>): void {
  if (access_policy === undefined || access_policy.length === 0)
    report(['name'], `No caller can see ${name}: add an access_policy`);
}

function adviseOnFormats({ source, report }: Located<CubeSource>): void {
  for (const list of ['dimensions', 'measures'] as const) {
    for (const [index, { name, type, format }] of (source[list] ?? []).entries()) {
      if (isKnown(format, typeOf(type))) continue;
      report([list, index, 'format'], `${name}: unknown format ${JSON.stringify(format)}`);
    }
  }
}

/** Whether a format is a known name or a valid pattern. */
function isKnown(declared: MemberFormat | undefined, type: MemberType): boolean {
  const format = formatOf(declared, type);
  if (typeof declared !== 'string' || (typeof format === 'object' && typeof format.alias === 'string')) return true;
  if (typeof format === 'string') return plainFormats.has(format);
  return type === MemberType.time ? declared.includes('%') : numberPattern.test(declared);
}

function typeOf(type: string): MemberType {
  return type === 'string' || type === 'boolean' || type === 'time' ? type : MemberType.number;
}
