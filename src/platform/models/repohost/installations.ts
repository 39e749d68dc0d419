import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import type { BodyOf } from '../../../contract/operation.js';
import * as contract from '../../../contract/repository-installations.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { Principal } from '../../auth/principal.js';
import { DatabaseCode, databaseCode } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { notFound, requireManager } from '../../http/access.js';
import { pageOfList } from '../../http/paging.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact } from '../../http/serve.js';
import { isRepositoryName, readHostUrl } from './git-host.js';
import * as store from './installation-store.js';
import { type RepositoryLinks, requireHostedRepositories } from './repository-links.js';

type Body = BodyOf<typeof contract.createRepositoryInstallation>;
const defaultUsername = 'x-access-token';

/** Mounts the routes for git hosts and their repositories (operations.md, RepoHost). */
export function mountInstallations(app: Hono, deps: RouteDeps, links: RepositoryLinks): void {
  mountReads(app, deps, links);
  mountChanges(app, deps);
}

function mountReads(app: Hono, deps: RouteDeps, links: RepositoryLinks): void {
  const { db, publicUrl } = deps;

  serve(app, contract.listRepositoryInstallations, deps, async ({ principal, query }) => {
    rejectSessions(principal);
    return pageOf((await store.listInstallations(db)).map(show), query);
  });

  serve(app, contract.listHostedRepositories, deps, async ({ principal, params, query }) => {
    rejectSessions(principal);
    const found = await store.findInstallation(db, params.installationId);
    if (!found) throw notFound('Installation');
    return pageOf(
      found.repositories.map(name => ({ id: idOf(name), name, htmlUrl: `${found.url}/${name}` })),
      query,
    );
  });

  serve(app, contract.listHostedBranches, deps, async ({ principal, params, query }) => {
    rejectSessions(principal);
    requireHostedRepositories(principal);
    const { installationId, ...page } = query;
    const { names, defaultBranch } = await links.branches(installationId, `${params.owner}/${params.repo}`);
    return pageOf(
      names.map(name => ({ name, isDefault: name === defaultBranch })),
      page,
    );
  });

  serve(app, contract.getRepositoryStatus, deps, async ({ principal }) => {
    rejectSessions(principal);
    const console = `${new URL(publicUrl).origin}/console`;
    return { connected: (await store.countInstallations(db)) > 0, linkUrl: console, settingsUrl: console };
  });
}

function mountChanges(app: Hono, deps: RouteDeps): void {
  const { db, sealedSecrets } = deps;

  serve(app, contract.createRepositoryInstallation, deps, async ({ body, principal, request }) => {
    requireManager(principal);
    const content = contentOf(body);
    const secret = secretOf(body, content);
    if (secret === null) throw new PlatformError(400, `body.${secretName(content)}: is required`);
    const target: JsonObject = {};
    return withUniqueNames(() =>
      transact(db, contract.createRepositoryInstallation.id, { principal, request, target }, async tx => {
        const created = await store.insertInstallation(tx, sealedSecrets, { ...content, secret });
        Object.assign(target, { id: created.id });
        return show(created);
      }),
    );
  });

  serve(app, contract.updateRepositoryInstallation, deps, async ({ params, body, principal, request }) => {
    requireManager(principal);
    const content = contentOf(body);
    const secret = secretOf(body, content);
    const context = { principal, request, target: { id: params.installationId } };
    return withUniqueNames(() =>
      transact(db, contract.updateRepositoryInstallation.id, context, async tx => {
        const stored = await store.lockInstallation(tx, params.installationId);
        if (!stored) throw notFound('Installation');
        const isOtherHost = (['url', 'username', 'hostKey'] as const).some(key => stored[key] !== content[key]);
        if (isOtherHost && secret === null) {
          const field = secretName(content);
          throw new PlatformError(400, `body.${field}: is required with another url, username or hostKey`);
        }
        return show(await store.changeInstallation(tx, sealedSecrets, stored.id, { ...content, secret }));
      }),
    );
  });

  serve(app, contract.deleteRepositoryInstallation, deps, async ({ params, principal, request }) => {
    requireManager(principal);
    const context = { principal, request, target: { id: params.installationId } };
    await transact(db, contract.deleteRepositoryInstallation.id, context, async tx => {
      const stored = await store.lockInstallation(tx, params.installationId);
      if (!stored) throw notFound('Installation');
      if (await store.hasConnections(tx, stored.id)) {
        throw new PlatformError(409, 'Deployments are connected to repositories of the installation. Disconnect them.');
      }
      await store.deleteInstallation(tx, stored.id);
    });
    return undefined;
  });
}

/** Rejects embed sessions, because scripts on pages of hosts can read their tokens. @throws PlatformError 403 */
function rejectSessions({ kind }: Principal): void {
  if (kind === 'embed') throw new PlatformError(403, 'This operation requires an API key or a signed-in user.');
}

/** Returns the page of a list without the total. */
function pageOf<T>(list: readonly T[], query: Parameters<typeof pageOfList>[1]) {
  const { items, data, pageInfo } = pageOfList(list, query);
  return { items, data, pageInfo };
}

/** Reads the columns of an installation from a body. @throws PlatformError 400 */
function contentOf({ login, url: given, username, hostKey = null, repositories }: Body): store.InstallationContent {
  const url = given.replace(/\/+$/, '');
  const address = readHostUrl(url);
  if (!address) {
    throw new PlatformError(
      400,
      'body.url: must have the form https://host/path or ssh://user@host/path, with a host in lower case',
    );
  }
  const isSsh = address.scheme === 'ssh';
  if (isSsh !== (hostKey !== null)) {
    throw new PlatformError(400, `body.hostKey: ${isSsh ? 'is required for ssh' : 'is supported only for ssh'}`);
  }
  const wrong = repositories.findIndex(
    (name, index) => !isRepositoryName(name) || repositories.indexOf(name) !== index,
  );
  if (wrong >= 0) {
    throw new PlatformError(400, `body.repositories.${wrong}: must be a name such as acme/model, listed once`);
  }
  return { login, url, username: username ?? defaultUsername, hostKey, repositories };
}

function secretName({ hostKey }: store.InstallationContent): 'token' | 'privateKey' {
  return hostKey === null ? 'token' : 'privateKey';
}

/** Returns the secret of a body; `null` if it has none. @throws PlatformError 400 for the secret of another scheme. */
function secretOf(body: Body, content: store.InstallationContent): string | null {
  const [own, other] =
    content.hostKey === null ? (['token', 'privateKey'] as const) : (['privateKey', 'token'] as const);
  if (body[other] != null) throw new PlatformError(400, `body.${other}: is not supported for the scheme of the URL`);
  return body[own] ?? null;
}

async function withUniqueNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (databaseCode(error) !== DatabaseCode.uniqueViolation) throw error;
    throw new PlatformError(409, 'Another installation has this name.', { cause: error });
  }
}

/** Derives a stable id from the name of a repository. */
function idOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() % 2 ** 31;
}

function show(stored: store.StoredInstallation): contract.RepositoryInstallation {
  const { login, url, username, hostKey, repositories } = stored;
  const id = String(stored.id);
  return { id, installationId: id, login, avatarUrl: '', url, username, hostKey, repositories: [...repositories] };
}
