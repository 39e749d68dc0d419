import type { MetaCube, MetaResponse } from '../../../../src/contract/meta.js';
import type { Query } from '../../../../src/contract/query.js';
import type { AgentContext, AgentTurn } from '../../../../src/platform/agent/agent.js';
import { createTools } from '../../../../src/platform/agent/tools/create-tools.js';
import type { CallerData } from '../../../../src/platform/data/caller-data.js';

const member = (name: string, type: string) => ({
  name,
  title: `Things ${name}`,
  shortTitle: name.slice(name.indexOf('.') + 1),
  type,
});

/** A model of one cube with a count, a sum, a date and a name. */
export const thingsMeta: MetaResponse = {
  compilerId: '1',
  cubes: [
    {
      name: 'things',
      title: 'Things',
      type: 'cube',
      connectedComponent: 1,
      measures: [
        { ...member('things.count', 'number'), aggType: 'count' },
        { ...member('things.weight', 'number'), aggType: 'sum' },
      ],
      dimensions: [member('things.colour', 'string'), member('things.shape', 'string'), member('things.made', 'time')],
      segments: [],
    } satisfies MetaCube,
  ],
};

/** Creates a caller with computed data that records its queries. */
export function fakeCaller(values: Readonly<Record<string, readonly string[]>>, meta = thingsMeta) {
  const asked: Query[] = [];
  const data: CallerData = {
    meta: () => meta,
    async load(query, { signal }) {
      signal.throwIfAborted();
      asked.push(query);
      const { dimensions = [], measures = [] } = query;
      const [dimension] = dimensions;
      const [filter] = query.filters ?? [];
      const sought = filter && 'member' in filter && filter.operator === 'contains' ? String(filter.values?.[0]) : '';
      const cells = dimension
        ? (values[dimension] ?? []).filter(value => value.includes(sought)).slice(0, query.limit ?? undefined)
        : [''];
      const times = (query.timeDimensions ?? []).flatMap(({ dimension: time, granularity }) =>
        granularity ? [`${time}.${granularity}`] : [],
      );
      const columns = [...dimensions, ...times, ...measures].map(name => ({
        member: name,
        kind: measures.includes(name) ? ('measure' as const) : ('dimension' as const),
        annotation: member(name, measures.includes(name) ? 'number' : 'string'),
      }));
      const isEdge = query.limit === 5 && measures.length === 0;
      // Questions about the first and the last day with data.
      const edge = String(JSON.stringify(query.order)).includes('asc') ? '1999-01-01' : '2001-06-15';
      const time = `${isEdge ? edge : '2001-06-01'}T00:00:00.000`;
      const cellFor = (name: string, cell: string) => (times.includes(name) ? time : cell);
      const rows = cells.map(cell =>
        Object.fromEntries(
          columns.map(({ member: name, kind }) => [name, kind === 'measure' ? '7' : cellFor(name, cell)]),
        ),
      );
      return { rowSet: { columns, rows, truncated: false, lastRefreshTime: null }, totalRows: rows.length };
    },
  };
  return {
    data,
    asked,
    context: (signal = new AbortController().signal): AgentContext => ({ data, tools: createTools(data), signal }),
  };
}

/** Creates a turn of a thread. */
export function turnOf(input: string, more: Partial<AgentTurn> = {}): AgentTurn {
  return {
    history: [],
    input,
    images: [],
    now: new Date('2001-06-15T12:00:00Z'),
    timezone: 'UTC',
    locale: 'en',
    resumeFrom: null,
    ...more,
  };
}
