import { PaError, PaErrorCode } from '../client/errors.js';
import type { PlatformConnection } from '../client/http/connection.js';
import {
  cancelDashboardExport,
  downloadDashboardExport,
  getDashboardExportStatus,
  startDashboardExport,
} from '../client/operations/dashboard-exports.js';
import { PageExport } from '../contract/dashboard-exports.js';
import type { EmbedGrant } from '../contract/embed-grant.js';
import { describeIssues } from '../contract/messages.js';
import { checkCaller, createEmbedSession } from './create-embed-session.js';
import type { EmbedSessionHandlerOptions } from './embed-session-handler.js';
import { failureResponse, type HostHandler, type HostHandlerOptions } from './host-handler.js';
import { failureWarning, isCrossSite, json, problem } from './page-responses.js';
import { readJsonBody } from './read-json-body.js';

/** Maximum size of a request body, in bytes. */
const maxBodyBytes = 65_536;

/** Options of the export handler: the platform, its API key, and the user of each request. */
export type ExportHandlerOptions<Context extends unknown[]> = HostHandlerOptions &
  Pick<EmbedSessionHandlerOptions<Context>, 'grantFor'>;

/** A Fetch API handler for exports. */
export type ExportHandler<Context extends unknown[]> = HostHandler<Context>;

/** The platform and the API key. */
interface Upstream {
  readonly connection: PlatformConnection;
  readonly apiKey: string;
}

/** A request of an identified user for one export. */
interface JobRequest extends Upstream {
  readonly request: Request;
  readonly grant: EmbedGrant;
}

const methods = 'POST, GET, DELETE';

/**
 * Returns a Fetch API handler for the page's `export-url`. It starts (POST), polls and downloads (GET) and cancels
 * (DELETE) exports of dashboards with the rights of the user that `grantFor` identifies. A page can read only exports
 * of its own user. Rejects requests from other sites, and disables caching.
 * @throws {PaError} `invalid_options` if an option is missing or invalid.
 */
export function exportHandler<Context extends unknown[] = []>(
  options: ExportHandlerOptions<Context>,
): ExportHandler<Context> {
  checkCaller('exportHandler', options);
  const { baseUrl, apiKey, grantFor, timeoutMs = 30_000, fetch } = options;
  const { onError = failureWarning('An export failed') } = options;
  const connection: PlatformConnection = { baseUrl, token: apiKey, timeoutMs, ...(fetch && { fetch }) };
  const handle = async (request: Request, ...context: Context): Promise<Response> => {
    const run = actions[request.method];
    if (!run) return problem(405, `Use ${methods}.`, { allow: methods });
    if (isCrossSite(request)) return problem(403, 'Requests from other sites are not allowed.');
    const grant = await grantFor(request, ...context);
    if (!grant) return problem(401, 'Sign in first.');
    try {
      return await run({ request, grant, connection, apiKey });
    } catch (error) {
      const hidden = 'The export is unavailable. See the server log.';
      return failureResponse(error, { onError, hidden, showsServerErrors: false });
    }
  };
  return Object.assign(handle, { maxBodyBytes });
}

const actions: Readonly<Record<string, (job: JobRequest) => Promise<Response>>> = {
  POST: startJob,
  GET: readJob,
  DELETE: cancelJob,
};

async function startJob({ request, grant, connection, apiKey }: JobRequest): Promise<Response> {
  const parsed = PageExport.safeParse(await readJsonBody(request, maxBodyBytes));
  if (!parsed.success) {
    throw new PaError(PaErrorCode.badRequest, describeIssues('body', parsed.error.issues), { status: 400 });
  }
  const { baseUrl, timeoutMs, fetch } = connection;
  const minting = { baseUrl, apiKey, signal: request.signal, ...(timeoutMs && { timeoutMs }), ...(fetch && { fetch }) };
  const { sessionId } = await createEmbedSession(minting, grant);
  const { deploymentId } = grant;
  const body = { ...parsed.data, renderAs: { type: 'EMBED_SESSION' as const, sessionId } };
  const { jobId, expiresAt } = await startDashboardExport(connection, deploymentId, body, {
    signal: request.signal,
    retries: 0,
  });
  return json(202, { job: `${jobId}.${await signatureOf(jobId, grant, apiKey)}`, expiresAt });
}

async function readJob(input: JobRequest): Promise<Response> {
  const { request, grant, connection } = input;
  const ref = { deploymentId: grant.deploymentId, jobId: await jobOf(input) };
  const { searchParams } = new URL(request.url);
  if (!searchParams.has('file')) {
    return json(200, await getDashboardExportStatus(connection, ref, { signal: request.signal }));
  }
  const filename = searchParams.get('name')?.slice(0, 200) || 'dashboard';
  const file = await downloadDashboardExport(connection, ref, { filename }, { signal: request.signal });
  return new Response(file.stream(), {
    headers: {
      'cache-control': 'no-store',
      'content-type': file.type,
      'content-length': String(file.size),
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    },
  });
}

async function cancelJob(input: JobRequest): Promise<Response> {
  const { request, grant, connection } = input;
  const ref = { deploymentId: grant.deploymentId, jobId: await jobOf(input) };
  await cancelDashboardExport(connection, ref, { signal: request.signal });
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
}

/**
 * Returns the id of the job in the query, if it belongs to the user of the grant.
 * @throws {PaError} 404
 */
async function jobOf({ request, grant, apiKey }: JobRequest): Promise<string> {
  const [jobId = '', signature = ''] = (new URL(request.url).searchParams.get('job') ?? '').split('.', 2);
  if (isSame(signature, await signatureOf(jobId, grant, apiKey))) return jobId;
  throw new PaError(PaErrorCode.notFound, 'The export does not exist, or has expired.', { status: 404 });
}

/** Signs the id of a job together with its user, so that each replica of the host recognizes it. */
async function signatureOf(jobId: string, grant: EmbedGrant, apiKey: string): Promise<string> {
  const { deploymentId, embedTenantName = null, externalId = null, internalId = null } = grant;
  const owner = JSON.stringify(['pa-export', jobId, deploymentId, embedTenantName, externalId, internalId]);
  const encode = (text: string) => new TextEncoder().encode(text);
  const hmac = { name: 'HMAC', hash: 'SHA-256' } as const;
  const key = await crypto.subtle.importKey('raw', encode(apiKey), hmac, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign(hmac, key, encode(owner)));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Compares strings in constant time. */
function isSame(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let index = 0; index < expected.length; index += 1) {
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
  }
  return difference === 0;
}
