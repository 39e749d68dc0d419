import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import * as contract from '../../contract/scim-keys.js';
import * as store from '../auth/scim-key-store.js';
import { hashApiKey } from '../auth/secrets.js';
import { PlatformError } from '../errors.js';
import { notFound, requireManager } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';

/** Mounts the routes for keys of the Provisioning API (extension). */
export function mountScimKeys(app: Hono, deps: RouteDeps): void {
  serve(app, contract.listScimKeys, deps, async ({ query, principal }) => {
    requireManager(principal);
    const { items, pageInfo, total } = await store.listScimKeys(deps.db, query.search, query);
    const shown = items.map(show);
    return { items: shown, pageInfo, data: shown, count: total };
  });

  write(app, contract.createScimKey, deps, async ({ body, principal }, tx, target) => {
    requireManager(principal);
    const key = `pa_scim_${randomBytes(32).toString('base64url')}`;
    const added = await store.insertScimKey(tx, { name: body.name, keyHash: hashApiKey(key) });
    if (!added) throw new PlatformError(409, 'Another SCIM key has this name. Revoke it, or choose another name.');
    Object.assign(target, { id: added.id });
    return { ...show(added), key };
  });

  write(app, contract.revokeScimKey, deps, async ({ params, principal }, tx) => {
    requireManager(principal);
    if (!(await store.deleteScimKey(tx, params.id))) throw notFound('SCIM key');
    return undefined;
  });
}

function show({ id, name, createdAt, lastUsedAt }: store.StoredScimKey): contract.ScimKey {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
