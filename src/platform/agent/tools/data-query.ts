import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type DataQueryResult, maxToolRows, ToolName } from '../../../contract/chat.js';
import type { Query } from '../../../contract/query.js';
import { JsonObject, optional } from '../../../contract/wire.js';
import { readLoadRequest } from '../../data/load-request.js';
import { PlatformError } from '../../errors.js';
import type { AgentTool, CallerData } from '../agent.js';
import { chartSpecOf } from './chart-spec.js';
import { queryParameters } from './query-parameters.js';
import { readInput, shortened } from './read-input.js';
import { dataOf, schemaOf } from './row-texts.js';
import type { ToolOptions } from './tool-factory.js';

/** Most characters of what a model writes. */
const most = { query: 32 * 1024, title: 200, description: 1000 } as const;

/** Keys that a newer description of the tool may have are passed over. */
const Input = z.looseObject({
  query: z.unknown(),
  queryTitle: optional(z.string()),
  description: optional(z.string()),
  vegaSpec: optional(z.union([JsonObject, z.string()], 'must be Vega-Lite, as an object or as JSON text')),
});

/** The tool `dataQuery`: runs a query of the semantic model in the caller's own name. */
export function createDataQuery(data: CallerData, { timezone }: ToolOptions): AgentTool {
  return {
    name: ToolName.dataQuery,
    description:
      `Runs a query against the semantic model and returns at most ${maxToolRows} rows as text; totalRows says how many there are. ` +
      'Name members exactly as modelMeta gives them. The rows are shown to the user as a table, or as the chart that vegaSpec describes.',
    parameters: queryParameters,
    async run(input, { signal }) {
      const { query: given, queryTitle, description, vegaSpec } = readInput(Input, input);
      const query = readQuery(given, timezone);
      const limit = Math.min(query.limit ?? maxToolRows, maxToolRows);
      const { rowSet, totalRows } = await data.load({ ...query, limit }, { signal });
      const result: DataQueryResult = {
        queryTitle: shortened(queryTitle ?? '', most.title),
        description: shortened(description ?? '', most.description),
        query,
        schema: schemaOf(rowSet),
        data: dataOf(rowSet),
        totalRows: rowsOf(query, totalRows),
        uuid: randomUUID(),
        ...chartOf(
          vegaSpec,
          rowSet.columns.map(({ member }) => member),
        ),
      };
      return { ...result };
    },
  };
}

/** Reads a query by the checks of the Data API; how it is laid out and cached is not the model's to say. */
function readQuery(given: unknown, timezone: string | undefined): Query {
  const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? 'null');
  if (text.length > most.query) throw new PlatformError(400, `query: must be shorter than ${most.query} characters.`);
  const { query } = readLoadRequest(`{"query":${text}}`);
  if (Array.isArray(query))
    throw new PlatformError(400, 'query: send one query; for several, call the tool several times.');
  if (query.timeDimensions?.some(({ compareDateRange }) => compareDateRange !== undefined))
    throw new PlatformError(400, 'query: compareDateRange is not for this tool: send one query for each dateRange.');
  const { responseFormat: _layout, renewQuery: _cache, total: _total, ...asked } = query;
  return timezone === undefined ? asked : { timezone, ...asked };
}

/** How many rows the query returns when it is run by itself, its own limit and offset included. */
function rowsOf({ limit, offset }: Query, totalRows: number): number {
  return Math.min(Math.max(0, totalRows - (offset ?? 0)), limit ?? Number.POSITIVE_INFINITY);
}

function chartOf(vegaSpec: string | JsonObject | null | undefined, members: readonly string[]): { vegaSpec?: string } {
  if (vegaSpec === undefined || vegaSpec === null || vegaSpec === '') return {};
  return { vegaSpec: chartSpecOf(vegaSpec, members) };
}
