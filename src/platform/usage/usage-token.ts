import type { Hono } from 'hono';
import { createUsageAnalyticsToken } from '../../contract/usage-analytics.js';
import { usageScope } from '../auth/authenticate.js';
import { dataClaimsOf } from '../auth/data-claims.js';
import { PlatformError } from '../errors.js';
import { requireManager } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve } from '../http/serve.js';

/** Path of the Data API over the platform's own usage. */
export const usagePath = '/usage-analytics';

const tokenMs = 3_600_000;
/** No stored deployment has this id. */
const usageDeploymentId = 0;

/** Mounts the route that creates a token for the model of the platform's own usage (operations.md, Usage Analytics). */
export function mountUsageToken(app: Hono, deps: RouteDeps): void {
  const { tokens, hasUsageAnalytics, publicUrl } = deps;
  serve(app, createUsageAnalyticsToken, deps, async ({ principal }) => {
    requireManager(principal);
    if (!hasUsageAnalytics) throw new PlatformError(404, 'Usage analytics is turned off.');
    const end = Date.now() + tokenMs;
    const expiresAt = new Date(Math.min(end, principal.expiresAt?.getTime() ?? end));
    const { isDeveloper: _, ...claims } = dataClaimsOf(principal, usageDeploymentId);
    const viewer = { userId: principal.userId, deploymentId: usageDeploymentId };
    return {
      apiUrl: `${new URL(publicUrl).origin}${usagePath}/v1`,
      deploymentId: usageDeploymentId,
      expiresAt: expiresAt.toISOString(),
      token: await tokens.signDataToken({ ...claims, viewer, scopes: [usageScope], expiresAt }),
    };
  });
}
