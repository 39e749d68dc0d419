import { listEmbedTenants } from '../../client/embed-tenants.js';
import { PaPermissionError } from '../../client/errors.js';
import { eachItem } from '../../client/pages.js';
import type { EmbedAccessFile } from '../../contract/content-files.js';
import { type Content, ContentError, type ContentProblem, eachFolder, type FilePath, type Located } from './content.js';
import type { Target } from './deployment-state.js';

/**
 * Makes sure, before anything is written, that the key is an admin's and that the embed tenants that the files name are there.
 * @throws Error where the key is another's; ContentError where a tenant is missing.
 */
export async function checkTarget(content: Content, target: Target): Promise<void> {
  const named = [...namedTenants(content)];
  const known = await readTenants(target, named.length > 0 ? Number.POSITIVE_INFINITY : 1);
  const problems = named.filter(({ tenant }) => !known.has(tenant)).map(({ problem }) => problem);
  if (problems.length > 0) throw new ContentError(problems);
}

/** Only admins may list embed tenants: whoever may not would be stopped in the middle, when access is written. */
async function readTenants({ connection, signal }: Target, most: number): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  try {
    for await (const { name } of eachItem(page => listEmbedTenants(connection, page, { signal }), { signal })) {
      names.add(name);
      if (names.size >= most) break;
    }
  } catch (error) {
    if (!(error instanceof PaPermissionError)) throw error;
    throw new Error(
      "The key is not an admin's, and nothing was written: set PA_ADMIN_KEY or --key-file to the API key of an admin.",
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
    const message = `embedAccess.tenants: there is no embed tenant ${tenant}: provision it first: POST /api/v1/embed-tenants/${tenant}/user`;
    yield { tenant, problem: problem([...path, 'embedAccess', 'tenants', index], message) };
  }
}
