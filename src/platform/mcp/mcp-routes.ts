import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import type { JsonObject } from '../../contract/wire.js';
import type { Authenticate } from '../auth/authenticate.js';
import { targetOf } from '../auth/model-target.js';
import type { DataClaims } from '../auth/tokens.js';
import type { DataTokenViewer } from '../content/dashboards/viewer-dashboards.js';
import type { DeploymentData } from '../data/deployment-data.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { recordWrite } from '../http/audit.js';
import { readBody } from '../http/read-body.js';
import type { RequestIdEnv } from '../http/request-id.js';
import { rejectUnstorable } from '../http/serve.js';
import { type McpTool, type McpToolContext, mcpTools } from './mcp-tools.js';

/** Path of the MCP endpoint. */
export const mcpPath = '/mcp';

/** Dependencies of the MCP endpoint. */
export interface McpRoutesOptions {
  readonly db: Db;
  readonly data: Pick<DeploymentData, 'dataOf' | 'sqlOf'>;
  /** Identifies the caller by its data token, regardless of the token's scopes, or by the token of a person. */
  readonly authenticate: Authenticate<DataClaims>;
  /** Counts a request. @throws PlatformError 429 */
  readonly countRequest: (caller: string) => Promise<void>;
  /** Origins whose pages may call, including that of the platform. */
  readonly origins: readonly string[];
  /** Called with failures that the client did not cause. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

const maxBodyBytes = 256 * 1024;
/** Maximum number of requests of a batch that count toward the rate limit. The handler rejects larger batches. */
const maxBatchSize = 100;
const serverInfo = { name: 'pa-embed', title: 'Analytics', version: '1.0.0' } as const;
const instructions =
  'Read-only access to a semantic model and to dashboards, with the permissions of the data token. ' +
  'Find members with search_model or describe_model, then use their exact names in query.';
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

/** Compiled once, because a server is created for each request. */
const inputSchemas = new Map(mcpTools.map(({ name, parameters }) => [name, fromJsonSchema(parameters)]));

/**
 * Creates the MCP endpoint (streamable HTTP, stateless): tools that read the model, rows and dashboards with the
 * permissions of a data token. There are neither sessions nor subscriptions, and cookies are not read.
 */
export function mcpRoutes(options: McpRoutesOptions): Hono<RequestIdEnv> {
  const { origins, countRequest } = options;
  const app = new Hono<RequestIdEnv>({ strict: false });
  app.all(mcpPath, async context => {
    const request = context.req.raw;
    const origin = request.headers.get('origin');
    if (origin !== null && !origins.includes(origin)) {
      throw new PlatformError(
        403,
        'Pages from this origin may not call the platform. Allow the origin with --allow-origin.',
      );
    }
    const caller = await authenticateCaller(options, request).catch((error: unknown) => {
      if (error instanceof PlatformError && error.status === 401) context.header('www-authenticate', 'Bearer');
      throw error;
    });
    await countRequest(nameOf(caller));
    const parsedBody = request.method === 'POST' ? await readJson(request) : undefined;
    const batch = Array.isArray(parsedBody) ? parsedBody.slice(0, maxBatchSize) : [];
    for (const _ of batch.slice(1)) await countRequest(nameOf(caller));
    const call = { caller, requestId: context.get('requestId') };
    // Do not support subscriptions, because clients could subscribe only to changes to the list of tools, which never
    // changes.
    const handler = createMcpHandler(() => createServer(options, call), { maxSubscriptions: 0 });
    const { body, status, headers } = await handler.fetch(request, { parsedBody });
    for (const name of ['content-type', 'allow']) context.header(name, headers.get(name) ?? undefined);
    return new Response(body, { status, headers: context.res.headers });
  });
  return app;
}

/** Identifies the caller. @throws PlatformError 401, which clients of MCP expect instead of the 403 of the Data API. */
async function authenticateCaller({ authenticate }: McpRoutesOptions, request: Request): Promise<DataClaims> {
  try {
    return await authenticate(request);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.status !== 403) throw error;
    throw new PlatformError(
      401,
      'Send a valid data token, or a token of a signed-in user: Authorization: Bearer <token>.',
    );
  }
}

/** Reads the JSON of a body. @throws PlatformError 400, 413 */
async function readJson(request: Request): Promise<unknown> {
  try {
    const body: unknown = JSON.parse(await readBody(request, { maxBytes: maxBodyBytes }));
    rejectUnstorable(body, 'body');
    return body;
  } catch (error) {
    if (error instanceof SyntaxError) throw new PlatformError(400, 'The body is not valid JSON.');
    throw error;
  }
}

/**
 * Returns the key of the caller for the rate limit: its user, or the session or security context if the token has no
 * user.
 */
function nameOf({ embedTenantId, sessionKey, securityContext, viewer }: DataClaims): string {
  if (viewer) return `mcp ${embedTenantId} ${viewer.userId}`;
  return `mcp ${sessionKey ?? JSON.stringify(securityContext)}`;
}

interface McpCall {
  readonly caller: DataClaims;
  readonly requestId: string;
}

/** Creates the server of one request, with the tools that the scopes of the token allow. */
function createServer(options: McpRoutesOptions, call: McpCall): McpServer {
  const server = new McpServer(serverInfo, { instructions });
  const { scopes } = call.caller;
  for (const tool of mcpTools) {
    const inputSchema = inputSchemas.get(tool.name);
    if (!inputSchema || (scopes && !scopes.includes(tool.scope))) continue;
    const { name, title, description } = tool;
    server.registerTool(name, { title, description, inputSchema, annotations }, (input, { mcpReq }) =>
      runTool(tool, input, { ...options, ...call, signal: mcpReq.signal }),
    );
  }
  return server;
}

type RunOptions = McpRoutesOptions & McpCall & { readonly signal: AbortSignal };

/** Runs a tool. Failures are returned as results, which clients pass to their language model. */
async function runTool(tool: McpTool, input: unknown, { signal, onFailure, requestId, ...options }: RunOptions) {
  try {
    await recordCall(tool, input, { ...options, requestId });
    const result = await tool.run(input, toolContext(options), signal);
    return { content: [{ type: 'text' as const, text: JSON.stringify(result) }], structuredContent: result };
  } catch (error) {
    if (!(error instanceof PlatformError)) onFailure(error, requestId);
    const message = error instanceof PlatformError ? error.message : 'The tool failed.';
    return { content: [{ type: 'text' as const, text: message }], isError: true };
  }
}

/** Records the call in the audit log before the tool reads anything. The entry contains no query and no rows. */
function recordCall(tool: McpTool, input: unknown, { db, caller, requestId }: McpCall & { readonly db: Db }) {
  const { embedTenantId, viewer } = caller;
  const principal = { kind: 'data-token', userId: viewer?.userId ?? null, embedTenantId } as const;
  const target: JsonObject = { ...(viewer && { deploymentId: viewer.deploymentId }), ...tool.target?.(input) };
  return recordWrite(db, { operation: `mcp.${tool.name}`, principal, target, requestId });
}

/** Returns the data of the platform. @throws PlatformError 404 if the platform serves no model. */
function toolContext({ db, data, caller }: Pick<McpRoutesOptions, 'db' | 'data'> & Pick<McpCall, 'caller'>) {
  const { securityContext } = caller;
  const target = targetOf(caller);
  const [callerData, sql] = [data.dataOf(securityContext, target), data.sqlOf(securityContext, target)];
  if (!callerData || !sql) throw new PlatformError(404, 'This platform serves no semantic model.');
  return { db, data: callerData, sql, viewer: viewerOf(caller) } satisfies McpToolContext;
}

/**
 * Returns the viewer of dashboards. With a token outside an embed session, dashboards can be read only if an
 * administrator's key created the token.
 */
function viewerOf({ viewer, embedTenantId, isDeveloper }: DataClaims): DataTokenViewer | null {
  return viewer && (embedTenantId !== null || isDeveloper === true) ? { ...viewer, embedTenantId } : null;
}
