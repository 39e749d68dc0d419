import * as z from 'zod/mini';
import { ToolName } from '../../../contract/chat.js';
import type { AgentTool, CallerData } from '../agent.js';
import { type ModelEntry, modelEntries } from './model-entries.js';
import { readInput, shortened } from './read-input.js';

/** Most that one answer tells of. */
const most = { cubes: 12, members: 60, searchQuery: 300, words: 20, description: 300 } as const;

const Input = z.looseObject({ searchQuery: z.optional(z.nullable(z.string())) });

/** The tool `modelMeta`: finds cubes and members that the caller may see. */
export function createModelMeta(data: CallerData): AgentTool {
  return {
    name: ToolName.modelMeta,
    description:
      'Finds cubes, views and members of the semantic model by titles, names, descriptions and synonyms. An empty searchQuery gives an ' +
      'overview. Members with an aggType are measures, members of type segment are ready-made filters, all others are dimensions; ' +
      'members of type time can be time dimensions.',
    parameters: {
      type: 'object',
      properties: {
        searchQuery: { type: 'string', description: 'Words to look for, such as "revenue region month".' },
      },
      required: ['searchQuery'],
      additionalProperties: false,
    },
    async run(input) {
      const searchQuery = (readInput(Input, input).searchQuery ?? '').trim().slice(0, most.searchQuery);
      const entries = modelEntries(await data.meta());
      const chosen = searchQuery === '' ? overview(entries) : await search(entries, searchQuery);
      return { cubes: byCube(chosen), searchQuery };
    },
  };
}

/** The first members of each of the first cubes, as many of each. */
function overview(entries: readonly ModelEntry[]): readonly ModelEntry[] {
  const cubes = [...new Set(entries.map(({ cube }) => cube))].slice(0, most.cubes);
  const each = Math.floor(most.members / Math.max(1, cubes.length));
  return cubes.flatMap(cube => entries.filter(entry => entry.cube === cube).slice(0, each));
}

/** What matches, the best first; then, as far as there is room, the rest of the cubes that have it. */
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
  const words = searchQuery.split(/\s+/).slice(0, most.words).join(' ');
  const found = fuse.search(words, { limit: most.members }).map(({ item }) => item);
  const cubes = [...new Set(found.map(({ cube }) => cube))].slice(0, most.cubes);
  const matched = new Set(found);
  const others = cubes.flatMap(cube => entries.filter(entry => entry.cube === cube && !matched.has(entry)));
  return [...found.filter(({ cube }) => cubes.includes(cube)), ...others].slice(0, most.members);
}

function byCube(entries: readonly ModelEntry[]) {
  return [...new Set(entries.map(({ cube }) => cube))].map(cube => ({
    name: cube.name,
    type: cube.type,
    title: shortened(cube.title, most.description),
    members: entries.filter(entry => entry.cube === cube).map(memberOf),
  }));
}

function memberOf({ name, title, description, type, aggType, synonyms }: ModelEntry) {
  return {
    name,
    title: shortened(title, most.description),
    ...(description === '' ? {} : { description: shortened(description, most.description) }),
    type,
    ...(aggType === undefined ? {} : { aggType }),
    ...(synonyms.length === 0 ? {} : { synonyms: shortened(synonyms.join(', '), most.description) }),
  };
}
