import type { MetaCube, MetaResponse } from '../../../contract/meta.js';
import type { JsonObject } from '../../../contract/wire.js';

/** A member of the model, with the texts by which it is found. */
export interface ModelEntry {
  readonly cube: MetaCube;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `segment` for a segment, which has no type of its own. */
  readonly type: string;
  readonly aggType?: string;
  /** The member's name and the cube's name and title, as words. */
  readonly words: string;
  readonly cubeWords: string;
  readonly synonyms: readonly string[];
}

interface MetaMember {
  readonly name: string;
  readonly title: string;
  readonly shortTitle: string;
  readonly description?: string | null | undefined;
  readonly meta?: JsonObject | null | undefined;
  readonly type?: unknown;
  readonly aggType?: unknown;
}

/** Every member that the model shows, cube by cube: measures, dimensions, segments. */
export function modelEntries({ cubes }: MetaResponse): ModelEntry[] {
  return cubes.flatMap(cube => [
    ...cube.measures.map(member => entryOf(cube, member)),
    ...cube.dimensions.map(member => entryOf(cube, member)),
    ...cube.segments.map(member => entryOf(cube, { ...member, type: 'segment' })),
  ]);
}

function entryOf(cube: MetaCube, member: MetaMember): ModelEntry {
  const { name, title, shortTitle, description, meta, type, aggType } = member;
  return {
    cube,
    name,
    title: shortTitle || title || name,
    description: description ?? '',
    type: typeof type === 'string' ? type : 'string',
    ...(typeof aggType === 'string' ? { aggType } : {}),
    words: inWords(name.slice(name.indexOf('.') + 1)),
    cubeWords: [inWords(cube.name), cube.title, cube.description ?? '', ...synonymsIn(cube.meta)].join(' '),
    synonyms: synonymsIn(meta),
  };
}

function synonymsIn(meta: JsonObject | null | undefined): string[] {
  const synonyms = meta?.synonyms;
  return Array.isArray(synonyms) ? synonyms.filter(text => typeof text === 'string') : [];
}

function inWords(name: string): string {
  return name.replaceAll(/[_.]+/g, ' ');
}
