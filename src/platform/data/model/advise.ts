import type { MemberFormat } from '../../../contract/data.js';
import { MemberType } from './condition.js';
import { formatOf, plainFormats } from './labels.js';
import type { Located } from './model-files.js';
import type { CubeSource, ViewSource } from './model-source.js';
import type { ModelSources } from './model-sources.js';

/** A number format as d3 writes it. */
const numberPattern = /^(?:.?[<>=^])?[+\-( ]?[$#]?0?\d*,?(?:\.\d+)?~?[a-z%]?$/i;

/** Tells of what serves, but hardly as it is meant; it is reported through the sources, as problems are. */
export function advise({ cubes, views }: ModelSources): void {
  for (const cube of cubes.values()) {
    adviseOnPolicy(cube);
    adviseOnFormats(cube);
  }
  for (const view of views.values()) adviseOnPolicy(view);
}

function adviseOnPolicy({ source: { name, access_policy }, report }: Located<CubeSource | ViewSource>): void {
  if (access_policy === undefined || access_policy.length === 0)
    report(['name'], `${name} is invisible to everybody: write an access_policy`);
}

function adviseOnFormats({ source, report }: Located<CubeSource>): void {
  for (const list of ['dimensions', 'measures'] as const) {
    for (const [index, { name, type, format }] of (source[list] ?? []).entries()) {
      if (isKnown(format, typeOf(type))) continue;
      report([list, index, 'format'], `${name}: there is no format ${JSON.stringify(format)}`);
    }
  }
}

/** Whether a format is one that has a name, or a pattern of some kind. */
function isKnown(given: MemberFormat | undefined, type: MemberType): boolean {
  const format = formatOf(given, type);
  if (typeof given !== 'string' || (typeof format === 'object' && typeof format.alias === 'string')) return true;
  if (typeof format === 'string') return plainFormats.has(format);
  return type === MemberType.time ? given.includes('%') : numberPattern.test(given);
}

function typeOf(type: string): MemberType {
  return type === 'string' || type === 'boolean' || type === 'time' ? type : MemberType.number;
}
