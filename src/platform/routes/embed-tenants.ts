import type { Hono } from 'hono';
import { deleteEmbedTenant, type EmbedTenant, listEmbedTenants } from '../../contract/embed-tenants.js';
import { PlatformError } from '../errors.js';
import * as tenants from '../store/tenants.js';
import type { PlatformRoutesDeps } from './deps.js';
import { serve } from './serve.js';
import { write } from './write.js';

/** Embed tenants: listed, and deleted with all that is their own (spec 4.5). */
export function mountEmbedTenants(app: Hono, deps: PlatformRoutesDeps): void {
  serve(app, listEmbedTenants, deps, async ({ query }) => {
    const { items, pageInfo } = await tenants.listTenants(deps.db, query.search, query);
    return { items: items.map(showTenant), pageInfo };
  });

  write(app, deleteEmbedTenant, deps, async ({ params }, tx) => {
    if (params.embedTenantName === (await tenants.accountName(tx))) {
      throw new PlatformError(400, "path.embedTenantName: is the account's own tenant, which can't be deleted");
    }
    await tenants.deleteTenant(tx, params.embedTenantName);
    return undefined;
  });
}

function showTenant({ id, name, displayName, createdAt, userCount }: tenants.ListedTenant): EmbedTenant {
  return { id, name, displayName, createdAt: createdAt.toISOString(), userCount };
}
