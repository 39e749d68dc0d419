import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { ChartError } from '../../../charts/chart-error.js';
import { isVegaLite, readSpec } from '../../../charts/spec/spec.js';
import { type DataQueryColumn, type DataQueryResult, maxToolRows, ToolName } from '../../../contract/chat.js';
import type { Cell } from '../../../contract/data.js';
import { filterOperators, type Query } from '../../../contract/query.js';
import { RowLimit } from '../../../contract/row-limit.js';
import type { Column, RowSet } from '../../../contract/row-set.js';
import { JsonObject, optional } from '../../../contract/wire.js';
import { readAnswerChart } from '../../../report/chart/answer-chart.js';
import { columnTitle } from '../../../report/table/table.js';
import { readLoadRequest } from '../../data/answers/read-request.js';
import type { CallerData } from '../../data/caller-data.js';
import { PlatformError } from '../../errors.js';
import type { AgentTool } from '../agent.js';
import { answerChecksum } from './answer-checksum.js';
import { readInput, type ToolOptions, truncate } from './tool-input.js';

/** Maximum length of a specification without data, in characters of JSON. */
const maxSpecLength = 20 * 1024;
const $schema = 'https://vega.github.io/schema/vega-lite/v5.json';

/**
 * Converts a chart from the model into Vega-Lite as JSON text without data. Escapes field names as Vega requires
 * (`orders\\.total`).
 * @param members - columns of the query, as member names.
 * @throws PlatformError 400 if the specification is invalid.
 */
export function chartSpecOf(given: string | JsonObject, members: readonly string[]): string {
  const read = readAnswerChart(readVegaLite(given), members);
  if ('problem' in read) throw new PlatformError(400, `vegaSpec: ${read.problem}`);
  const text = JSON.stringify({ $schema, ...read.chart });
  if (text.length > maxSpecLength)
    throw new PlatformError(400, `vegaSpec: must be shorter than ${maxSpecLength} characters.`);
  return text;
}

function readVegaLite(given: string | JsonObject): JsonObject {
  try {
    const spec = readSpec(given);
    if (isVegaLite(spec)) return spec;
  } catch (error) {
    if (error instanceof ChartError) throw new PlatformError(400, `vegaSpec: ${error.message}`);
    throw error;
  }
  throw new PlatformError(400, 'vegaSpec: must be a Vega-Lite specification.');
}

const names = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

const timeDimensions = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      dimension: { type: 'string', description: 'A member of type time.' },
      granularity: {
        type: 'string',
        description:
          'second, minute, hour, day, week, month, quarter, year; without a granularity, rows are only filtered.',
      },
      dateRange: {
        description: '["2024-01-01", "2024-03-31"], both inclusive, or a phrase such as "last 3 months", "this year".',
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      },
    },
    required: ['dimension'],
  },
};

const filters = {
  type: 'array',
  description: 'All filters must match. Nest them with {"or": [filter, …]} and {"and": [filter, …]}.',
  items: {
    type: 'object',
    properties: {
      member: { type: 'string' },
      operator: { type: 'string', enum: filterOperators },
      values: {
        type: 'array',
        items: { type: 'string' },
        description: 'Values to compare with, combined by OR; none for set and notSet.',
      },
    },
  },
};

/** JSON Schema of a query, as presented to models. */
export const querySchema: JsonObject = {
  type: 'object',
  properties: {
    measures: names('Values to aggregate, such as ["orders.count"].'),
    dimensions: names('Members to group rows by.'),
    segments: names('Predefined filters of the model.'),
    timeDimensions,
    filters,
    order: {
      type: 'array',
      description: '[["orders.count", "desc"]]',
      items: { type: 'array', items: { type: 'string' } },
    },
    limit: { type: 'integer', minimum: 1, maximum: RowLimit.max },
    timezone: { type: 'string', description: "IANA name; the user's by default." },
  },
};

/**
 * JSON Schema of the input of `dataQuery`, as presented to models. It avoids references and unions, because many models
 * do not support them. Input is validated with the Data API's schemas.
 */
const queryParameters: JsonObject = {
  type: 'object',
  properties: {
    query: querySchema,
    queryTitle: { type: 'string', description: 'A short title of the result.' },
    description: { type: 'string', description: 'One sentence that describes the query.' },
    vegaSpec: {
      type: 'string',
      description:
        'Vega-Lite as JSON text if a chart shows more than a table: only mark, encoding and layer, without data, transforms and ' +
        'expressions. Fields are the members of the query, a grouped time ' +
        'dimension with its granularity: "orders.created_at.month". Numbers and times are text, ' +
        'which charts parse by the type of their encoding: quantitative, temporal.',
    },
  },
  required: ['query', 'queryTitle', 'description'],
};

/** Maximum characters per cell and of all cells combined. */
const maxCharacters = { cell: 500, cells: 200_000 } as const;

/** Returns the rows as text, in column order. Omits rows that exceed the size limit; `totalRows` still counts them. */
function dataOf({ columns, rows }: RowSet): DataQueryResult['data'] {
  return rowStrings(rows.map(row => columns.map(({ member }) => row[member])));
}

/** Returns cells as text. Omits rows that exceed the size limit. */
export function rowStrings(rows: readonly (readonly (Cell | undefined)[])[]): DataQueryResult['data'] {
  const data: (string | null)[][] = [];
  let characters = 0;
  for (const row of rows) {
    const texts = row.map(textOf);
    characters += texts.reduce((sum, text) => sum + (text?.length ?? 0) + 4, 0);
    if (characters > maxCharacters.cells) break;
    data.push(texts);
  }
  return data;
}

function textOf(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : truncate(String(cell), maxCharacters.cell);
}

/** Describes the columns with their types in the Chat API. */
function schemaOf({ columns, rows }: RowSet): DataQueryResult['schema'] {
  return columns.map(column => ({
    name: column.member,
    column_type: typeOf(
      column,
      rows.map(row => row[column.member]),
    ),
    title: columnTitle(column),
    ...formatOf(column),
    ...calendarOf(column),
  }));
}

/** Returns the numbers that stand for Sunday and January in a column, so that charts can name weekdays and months. */
function calendarOf({ annotation: { meta } }: Column): Pick<DataQueryColumn, 'meta'> {
  const { sunday, january } = meta ?? {};
  const numbers = {
    ...(typeof sunday === 'number' && { sunday }),
    ...(typeof january === 'number' && { january }),
  };
  return Object.keys(numbers).length === 0 ? {} : { meta: numbers };
}

/** Returns the number format, so that answers and reports format numbers in the same way. */
function formatOf({ annotation }: Column): { format?: string; currency?: string } {
  const { formatDescription } = annotation;
  if (!formatDescription) return {};
  const { specifier: format, currency } = formatDescription;
  return { format, ...(currency == null ? {} : { currency }) };
}

/**
 * Returns the type of a column. The semantic model only distinguishes numbers from text, so integers are detected from
 * the cells.
 */
function typeOf({ kind, annotation }: Column, cells: readonly (Cell | undefined)[]): string {
  if (kind === 'timeDimension' || annotation.type === 'time') return 'Timestamp';
  if (annotation.type === 'boolean') return 'Boolean';
  if (annotation.type !== 'number') return 'String';
  const figures = cells.filter(cell => cell !== null && cell !== undefined);
  return figures.length > 0 && figures.every(figure => /^-?\d{1,18}$/.test(String(figure))) ? 'Int64' : 'Double';
}

/** Maximum characters of text written by a model. */
const maxLengths = { query: 32 * 1024, title: 200, description: 1000 } as const;

/** Ignores unknown keys, which a newer description of the tool may introduce. */
const Input = z.looseObject({
  query: z.unknown(),
  queryTitle: optional(z.string()),
  description: optional(z.string()),
  vegaSpec: optional(z.union([JsonObject, z.string()], 'must be Vega-Lite, as an object or as JSON text')),
});

/** Creates the `dataQuery` tool, which runs a query of the semantic model with the caller's permissions. */
export function createDataQuery(data: CallerData, { timezone, maxRows = maxToolRows }: ToolOptions): AgentTool {
  return {
    name: ToolName.dataQuery,
    description:
      `Runs a query against the semantic model and returns at most ${maxRows} rows as text. ` +
      'totalRows is the number of all rows. ' +
      'Name members exactly as modelMeta gives them. The rows are shown to the user as a table, or as the chart that vegaSpec describes.',
    parameters: queryParameters,
    async run(input, { signal }) {
      const { query: given, queryTitle, description, vegaSpec } = readInput(Input, input);
      const query = readQuery(given, timezone);
      const limit = Math.min(query.limit ?? maxRows, maxRows);
      const { rowSet, totalRows } = await data.load({ ...query, limit }, { signal });
      const chart = chartOf(
        vegaSpec,
        rowSet.columns.map(({ member }) => member),
      );
      const result: DataQueryResult = {
        queryTitle: truncate(queryTitle ?? '', maxLengths.title),
        description: truncate(description ?? '', maxLengths.description),
        query,
        schema: schemaOf(rowSet),
        data: dataOf(rowSet),
        totalRows: rowsOf(query, totalRows),
        uuid: randomUUID(),
        checksum: answerChecksum({ query, ...chart }),
        ...chart,
      };
      return { ...result };
    },
  };
}

/** Validates a query with the Data API's schema. Ignores layout and cache options, which the model must not control. */
function readQuery(given: unknown, timezone: string | undefined): Query {
  const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? 'null');
  if (text.length > maxLengths.query)
    throw new PlatformError(400, `query: must be shorter than ${maxLengths.query} characters.`);
  const { query } = readLoadRequest(`{"query":${text}}`);
  if (Array.isArray(query))
    throw new PlatformError(400, 'query: send one query; for several, call the tool several times.');
  if (query.timeDimensions?.some(({ compareDateRange }) => compareDateRange !== undefined))
    throw new PlatformError(400, 'query: compareDateRange is not supported; call the tool once for each dateRange.');
  const { responseFormat: _layout, renewQuery: _cache, total: _total, ...asked } = query;
  return timezone === undefined ? asked : { timezone, ...asked };
}

/** Returns the number of rows that the query itself returns, considering its limit and offset. */
function rowsOf({ limit, offset }: Query, totalRows: number): number {
  return Math.min(Math.max(0, totalRows - (offset ?? 0)), limit ?? Number.POSITIVE_INFINITY);
}

function chartOf(vegaSpec: string | JsonObject | null | undefined, members: readonly string[]): { vegaSpec?: string } {
  if (vegaSpec === undefined || vegaSpec === null || vegaSpec === '') return {};
  return { vegaSpec: chartSpecOf(vegaSpec, members) };
}
