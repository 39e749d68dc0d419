import { PaPermissionError } from '../client/errors.js';
import { listEmbedTenants } from '../client/operations/embed-tenants.js';
import { eachItem } from '../client/operations/pagination.js';
import type { EmbedAccessFile } from '../contract/content-files.js';
import { type Content, ContentError, type ContentProblem, eachFolder, type FilePath, type Located } from './content.js';
import type { Target } from './deployment-state.js';

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

/**
 * Reads the names of embed tenants. Only admins may list them; other users would fail halfway, when access is written.
 */
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
    const message = `embedAccess.tenants: no embed tenant named ${tenant}; create it first with POST /api/v1/embed-tenants/${tenant}/user`;
    yield { tenant, problem: problem([...path, 'embedAccess', 'tenants', index], message) };
  }
}
