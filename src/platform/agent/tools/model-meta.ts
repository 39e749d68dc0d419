import * as z from 'zod/mini';
import { ToolName } from '../../../contract/chat.js';
import type { MetaCube, MetaResponse } from '../../../contract/meta.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { CallerData } from '../../data/caller-data.js';
import { PlatformError } from '../../errors.js';
import type { AgentTool } from '../agent.js';
import { readInput, truncate } from './tool-input.js';

/** A member of the semantic model with its searchable words. */
interface ModelEntry {
  readonly cube: MetaCube;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Declared type; `segment` for segments, which declare none. */
  readonly type: string;
  readonly aggType?: string;
  /** The member's name, and the cube's name and title, split into words. */
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

/** Returns every visible member by cube: measures, dimensions, segments. */
function modelEntries({ cubes }: MetaResponse): ModelEntry[] {
  return cubes.flatMap(entriesOf);
}

function entriesOf(cube: MetaCube): ModelEntry[] {
  return [
    ...cube.measures.map(member => entryOf(cube, member)),
    ...cube.dimensions.map(member => entryOf(cube, member)),
    ...cube.segments.map(member => entryOf(cube, { ...member, type: 'segment' })),
  ];
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

/** Limits of one result. */
const maxResults = { cubes: 12, members: 60, searchQuery: 300, words: 20, description: 300, cubeName: 100 } as const;

const Input = z.looseObject({ searchQuery: z.optional(z.nullable(z.string())) });

/** Creates the `modelMeta` tool, which finds cubes and members that the caller may see. */
export function createModelMeta(data: CallerData): AgentTool {
  return {
    name: ToolName.modelMeta,
    description:
      'Finds cubes, views and members of the semantic model by titles, names, descriptions and synonyms. An empty searchQuery gives an ' +
      'overview. Members with an aggType are measures, members of type segment are predefined filters, all others are dimensions; ' +
      'members of type time can be time dimensions.',
    parameters: {
      type: 'object',
      properties: {
        searchQuery: { type: 'string', description: 'Words to search for, such as "revenue region month".' },
      },
      required: ['searchQuery'],
      additionalProperties: false,
    },
    async run(input) {
      const searchQuery = (readInput(Input, input).searchQuery ?? '').trim().slice(0, maxResults.searchQuery);
      const entries = modelEntries(await data.meta());
      const chosen = searchQuery === '' ? overview(entries) : await search(entries, searchQuery);
      return { cubes: byCube(chosen), searchQuery };
    },
  };
}

/**
 * Describes one cube or view with all members that the caller may see.
 * @throws PlatformError 400 if no visible cube or view has this name.
 */
export async function describeCube(data: CallerData, name: string): Promise<JsonObject> {
  const { cubes } = await data.meta();
  const cube = cubes.find(each => each.name === name);
  if (!cube) throw new PlatformError(400, `The model has no cube or view "${truncate(name, maxResults.cubeName)}".`);
  const { description, joins } = cube;
  return {
    ...cubeOf(cube, entriesOf(cube)),
    ...(description ? { description } : {}),
    joinedCubes: (joins ?? []).map(join => join.name).filter(joined => cubes.some(each => each.name === joined)),
  };
}

/** Returns the first members of the first cubes, with the same maximum per cube. */
function overview(entries: readonly ModelEntry[]): readonly ModelEntry[] {
  const cubes = [...new Set(entries.map(({ cube }) => cube))].slice(0, maxResults.cubes);
  const each = Math.floor(maxResults.members / Math.max(1, cubes.length));
  return cubes.flatMap(cube => entries.filter(entry => entry.cube === cube).slice(0, each));
}

/** Returns matches by relevance, then the other members of their cubes up to the limit. */
async function search(entries: readonly ModelEntry[], searchQuery: string): Promise<readonly ModelEntry[]> {
  const { default: Fuse } = await import('fuse.js');
  const fuse = new Fuse(entries, {
    keys: [
      { name: 'title', weight: 3 },
      { name: 'words', weight: 3 },
      { name: 'synonyms', weight: 3 },
      { name: 'cubeWords', weight: 1 },
      { name: 'description', weight: 1 },
    ],
    useTokenSearch: true,
    ignoreDiacritics: true,
    threshold: 0.3,
  });
  const words = searchQuery.split(/\s+/).slice(0, maxResults.words).join(' ');
  const found = fuse.search(words, { limit: maxResults.members }).map(({ item }) => item);
  const cubes = [...new Set(found.map(({ cube }) => cube))].slice(0, maxResults.cubes);
  const matched = new Set(found);
  const others = cubes.flatMap(cube => entries.filter(entry => entry.cube === cube && !matched.has(entry)));
  return [...found.filter(({ cube }) => cubes.includes(cube)), ...others].slice(0, maxResults.members);
}

function byCube(entries: readonly ModelEntry[]) {
  return [...new Set(entries.map(({ cube }) => cube))].map(cube =>
    cubeOf(
      cube,
      entries.filter(entry => entry.cube === cube),
    ),
  );
}

function cubeOf({ name, type, title }: MetaCube, members: readonly ModelEntry[]) {
  return { name, type, title: truncate(title, maxResults.description), members: members.map(memberOf) };
}

function memberOf({ name, title, description, type, aggType, synonyms }: ModelEntry) {
  return {
    name,
    title: truncate(title, maxResults.description),
    ...(description === '' ? {} : { description: truncate(description, maxResults.description) }),
    type,
    ...(aggType === undefined ? {} : { aggType }),
    ...(synonyms.length === 0 ? {} : { synonyms: truncate(synonyms.join(', '), maxResults.description) }),
  };
}
