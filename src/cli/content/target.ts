import { randomUUID } from 'node:crypto';
import { PaConnectionError, PaPermissionError, PaTimeoutError } from '../../client/errors.js';
import { listDeployments } from '../../client/operations/deployments.js';
import { listEmbedTenants } from '../../client/operations/embed-tenants.js';
import { eachItem } from '../../client/operations/pagination.js';
import type { EmbedAccessFile } from '../../contract/content-files.js';
import { type CommandContext, UsageError } from '../command.js';
import { readKey, type TargetOptions } from '../target-options.js';
import { type Content, ContentError, type ContentProblem, eachFolder, type FilePath, type Located } from './content.js';
import type { Target } from './deployment-state.js';

type TargetContext = Pick<CommandContext, 'environment' | 'signal'>;

/**
 * Runs `work` with the deployment that the flags select.
 * @throws UsageError if no key is set or the deployment is ambiguous; Error if the platform does not respond.
 */
export async function withTarget<T>(
  options: TargetOptions,
  context: TargetContext,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  try {
    return await work(await openTarget(options, context));
  } catch (error) {
    if (!(error instanceof PaConnectionError || error instanceof PaTimeoutError)) throw error;
    const isRunning = error.message.includes('TLS certificate');
    const advice = isRunning ? '' : ' Set --url to the address of a running platform.';
    throw new Error(`Could not connect to ${options.url}.${advice} ${error.message}`);
  }
}

async function openTarget(
  { url, deploymentId, ...keySource }: TargetOptions,
  { environment, signal }: TargetContext,
): Promise<Target> {
  const token = await readKey(keySource, environment);
  const connection = { baseUrl: url, token, retries: 5, newRequestId: randomUUID };
  if (deploymentId !== null) return { connection, deploymentId, signal };
  const found: number[] = [];
  for await (const { id } of eachItem(page => listDeployments(connection, page, { signal }), { signal }))
    found.push(id);
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new UsageError(`--deployment must be the id of a deployment: ${found.join(', ') || 'there are none'}.`);
  }
  return { connection, deploymentId: only, signal };
}

/**
 * Checks, before anything is written, that the key belongs to an admin and that the embed tenants in the files exist.
 * @throws Error if the key belongs to another user; ContentError if a tenant is missing.
 */
export async function checkTarget(content: Content, target: Target): Promise<void> {
  const named = [...namedTenants(content)];
  const known = await readTenants(target, named.length > 0 ? Number.POSITIVE_INFINITY : 1);
  const problems = named.filter(({ tenant }) => !known.has(tenant)).map(({ problem }) => problem);
  if (problems.length > 0) throw new ContentError(problems);
}

/** Only admins may list embed tenants. Other users would fail halfway, when access is written. */
async function readTenants({ connection, signal }: Target, maxTenants: number): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  try {
    for await (const { name } of eachItem(page => listEmbedTenants(connection, page, { signal }), { signal })) {
      names.add(name);
      if (names.size >= maxTenants) break;
    }
  } catch (error) {
    if (!(error instanceof PaPermissionError)) throw error;
    throw new Error(
      'The API key does not belong to an admin; nothing was written. Set PA_ADMIN_KEY or --key-file to the API key of an admin.',
    );
  }
  return names;
}

interface NamedTenant {
  readonly tenant: string;
  readonly problem: ContentProblem;
}

function* namedTenants({ folders, workbooks }: Content): Generator<NamedTenant> {
  for (const [, { embedAccess }, path] of eachFolder(folders?.content ?? [])) {
    if (folders) yield* tenantsOf(embedAccess, path, folders);
  }
  for (const workbook of workbooks.values()) yield* tenantsOf(workbook.content.embedAccess, [], workbook);
}

function* tenantsOf(
  access: EmbedAccessFile | undefined,
  path: FilePath,
  { problem }: Located<unknown>,
): Generator<NamedTenant> {
  for (const [index, tenant] of (access?.tenants ?? []).entries()) {
    const message = `embedAccess.tenants: no embed tenant named ${tenant}: create it first with POST /api/v1/embed-tenants/${tenant}/user`;
    yield { tenant, problem: problem([...path, 'embedAccess', 'tenants', index], message) };
  }
}
