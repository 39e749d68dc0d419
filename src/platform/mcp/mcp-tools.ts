import * as z from 'zod/mini';
import type { Dashboard, ReportSnapshot } from '../../contract/dashboards.js';
import { type JsonObject, PublicId } from '../../contract/wire.js';
import { createDataQuery, querySchema, rowStrings } from '../agent/tools/data-query.js';
import { createModelMeta, describeCube } from '../agent/tools/model-meta.js';
import { readInput } from '../agent/tools/tool-input.js';
import { findPinnedReports } from '../content/dashboards/resolve-ai-widgets.js';
import {
  type DataTokenViewer,
  findViewerDashboard,
  listViewerDashboards,
} from '../content/dashboards/viewer-dashboards.js';
import type { CallerData } from '../data/caller-data.js';
import type { CallerSql } from '../data/caller-sql.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';

/** Data sources of the tools of one caller. */
export interface McpToolContext {
  readonly db: Db;
  readonly data: CallerData;
  readonly sql: CallerSql;
  /** Dashboards; `null` if the token does not allow reading them. */
  readonly viewer: DataTokenViewer | null;
}

/** A read-only tool. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: JsonObject;
  /** Scope that is required of tokens that have scopes. */
  readonly scope: 'data' | 'meta';
  /**
   * Runs the tool with an unvalidated input.
   * @throws PlatformError with a message that is safe for the caller.
   */
  run(input: unknown, context: McpToolContext, signal: AbortSignal): Promise<JsonObject>;
  /** Returns the ids in the input that the audit log records. */
  target?(input: unknown): JsonObject;
}

/** Default and maximum number of rows in a result. */
const rowLimit = { default: 100, max: 1000 } as const;
const maxSqlLength = 32 * 1024;
const maxNameLength = 300;
const dashboardsPerPage = 100;

const name = z.string().check(z.maxLength(maxNameLength));
const objectOf = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = (description: string): JsonObject => ({ type: 'string', description });

const searchModel: McpTool = {
  name: 'search_model',
  title: 'Search the semantic model',
  description:
    'Finds cubes, views and members of the semantic model by titles, names, descriptions and synonyms. An empty search returns ' +
    'an overview. Members with an aggType are measures, members of type segment are predefined filters, all others are dimensions.',
  parameters: objectOf({ search: text('Words to search for, such as "revenue region month".') }),
  scope: 'meta',
  async run(input, { data }, signal) {
    const { search } = readInput(z.looseObject({ search: z.optional(z.string()) }), input);
    const { cubes } = await createModelMeta(data).run({ searchQuery: search ?? '' }, { signal });
    return { cubes };
  },
};

const describeModel: McpTool = {
  name: 'describe_model',
  title: 'Describe a cube or view',
  description: 'Returns all members of one cube or view: names, titles, descriptions, types, and the cubes it joins.',
  parameters: objectOf({ name: text('Name of a cube or view, as returned by search_model.') }, ['name']),
  scope: 'meta',
  run: (input, { data }) => describeCube(data, readInput(z.looseObject({ name }), input).name),
};

const QueryInput = z.looseObject({
  query: z.optional(z.unknown()),
  sql: z.optional(z.string().check(z.maxLength(maxSqlLength))),
  timezone: z.optional(z.string()),
  limit: z.optional(z.int().check(z.gte(1), z.lte(rowLimit.max))),
});

const query: McpTool = {
  name: 'query',
  title: 'Query data',
  description:
    'Runs a query of the semantic model, or one SELECT in SQL (Postgres dialect) over its cubes and views; set either query or sql. ' +
    'In SQL, aggregate a measure with MEASURE(name). Returns rows as text, in the order of columns: at most ' +
    `${rowLimit.default}, or limit (${rowLimit.max} at most); truncated is true if there are more.`,
  parameters: objectOf({
    query: querySchema,
    sql: text('SELECT status, MEASURE(count) FROM orders GROUP BY 1'),
    timezone: text('IANA time zone of the returned times; UTC by default.'),
    limit: { type: 'integer', minimum: 1, maximum: rowLimit.max, description: 'Maximum number of rows.' },
  }),
  scope: 'data',
  async run(input, context, signal) {
    const read = readInput(QueryInput, input);
    if ((read.query === undefined) === (read.sql === undefined)) {
      throw new PlatformError(400, 'Set either query or sql.');
    }
    return read.sql === undefined ? loadRows(read, context, signal) : sqlRows(read.sql, read, context, signal);
  },
};

type QueryOptions = z.output<typeof QueryInput>;

async function loadRows(read: QueryOptions, { data }: McpToolContext, signal: AbortSignal): Promise<JsonObject> {
  const { limit: maxRows = rowLimit.default, timezone } = read;
  const tool = createDataQuery(data, { maxRows, ...(timezone !== undefined && { timezone }) });
  const result = await tool.run({ query: read.query }, { signal });
  const { schema: columns, data: rows, totalRows } = result;
  const count = Array.isArray(rows) ? rows.length : 0;
  return { columns, rows, totalRows, truncated: typeof totalRows === 'number' && totalRows > count };
}

async function sqlRows(
  statement: string,
  { limit: maxRows = rowLimit.default, timezone }: QueryOptions,
  { sql }: McpToolContext,
  signal: AbortSignal,
): Promise<JsonObject> {
  const given = { text: statement, ...(timezone !== undefined && { timezone }) };
  const { columns, rows, truncated } = await sql.run(given, { maxRows, signal });
  const strings = rowStrings(rows);
  return { columns, rows: strings, truncated: truncated || strings.length < rows.length };
}

const ListInput = z.looseObject({ search: z.optional(name), after: z.optional(name) });

const listDashboards: McpTool = {
  name: 'list_dashboards',
  title: 'List dashboards',
  description:
    'Lists the published dashboards that the caller can open. To get the next page, pass endCursor as after.',
  parameters: objectOf({
    search: text('Part of the title or description.'),
    after: text('endCursor of the previous page.'),
  }),
  scope: 'meta',
  async run(input, { db, viewer }) {
    const { search, after } = readInput(ListInput, input);
    if (!viewer) return { dashboards: [], hasNextPage: false };
    const { items, pageInfo } = await listViewerDashboards(db, viewer, { search, after, first: dashboardsPerPage });
    return {
      dashboards: items.map(({ publicId, title, description }) => ({
        publicId,
        title,
        ...(description !== null && { description }),
      })),
      hasNextPage: pageInfo.hasNextPage,
      ...(pageInfo.hasNextPage && { endCursor: pageInfo.endCursor }),
    };
  },
};

const DashboardInput = z.looseObject({ publicId: z.string() });

const getDashboard: McpTool = {
  name: 'get_dashboard',
  title: 'Read a dashboard',
  description:
    'Returns title, filters and reports of a published dashboard. Run the query (or sql) of a report with the tool query to get its rows.',
  parameters: objectOf({ publicId: text('publicId of a dashboard, as returned by list_dashboards.') }, ['publicId']),
  scope: 'meta',
  async run(input, { db, data, viewer }, signal) {
    const { publicId } = readInput(DashboardInput, input);
    const isId = z.safeParse(PublicId, publicId).success;
    const dashboard = viewer && isId ? await findViewerDashboard(db, viewer, publicId) : null;
    if (!dashboard) throw new PlatformError(404, 'Dashboard not found.');
    const answers = await findPinnedReports(db, dashboard, { data, signal, allowAi: viewer?.allowAi });
    return summaryOf(dashboard, answers);
  },
  target(input) {
    const read = z.safeParse(z.looseObject({ publicId: PublicId }), input);
    return read.success ? { publicId: read.data.publicId } : {};
  },
};

/** @param answers - reports of pinned answers, by AI widget. */
function summaryOf(
  { publicId, title, description, config, reportSnapshots }: Dashboard,
  answers: ReadonlyMap<string, ReportSnapshot>,
): JsonObject {
  const titled = (config.widgets ?? []).flatMap(({ id, config: widget }): ReportSnapshot[] => {
    const answer = answers.get(id);
    const given = typeof widget?.title === 'string' ? widget.title : '';
    return answer ? [{ ...answer, title: given || answer.title }] : [];
  });
  const filters = (config.widgets ?? []).filter(({ type }) => type === 'FILTER').map(({ config: filter }) => filter);
  return {
    publicId,
    ...(title != null && { title }),
    ...(description != null && { description }),
    filters: filters.map(filter => ({ member: filter?.member, ...(filter?.label != null && { label: filter.label }) })),
    reports: [...reportSnapshots, ...titled].map(report => ({
      title: report.title ?? report.name ?? '',
      ...(report.description != null && { description: report.description }),
      ...(report.kind != null && { kind: report.kind }),
      ...(report.meta?.jsonQuery ? { query: report.meta.jsonQuery } : { sql: report.sqlQuery ?? null }),
    })),
  };
}

/** All tools, in the order in which clients list them. */
export const mcpTools: readonly McpTool[] = [searchModel, describeModel, query, listDashboards, getDashboard];
