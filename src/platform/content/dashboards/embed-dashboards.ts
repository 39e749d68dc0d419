import type { Hono } from 'hono';
import type { DashboardConfig } from '../../../contract/dashboards.js';
import { getDashboard, updateDashboardEmbedding } from '../../../contract/embed.js';
import type { Principal } from '../../auth/principal.js';
import { isAllowedOnDeployment } from '../../auth/rights.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import { SerializedJson } from '../../http/mount.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, write } from '../../http/serve.js';
import { canReadDeployment } from '../../models/require-deployment.js';
import { BoundedCache } from '../../runtime/bounded-cache.js';
import { attributeValuesOf } from '../../settings/user-attribute-store.js';
import { mountAiWidgets } from './ai-widgets.js';
import { mountEmbedComments } from './comments.js';
import { setAllowEmbed } from './dashboard-store.js';
import { findPublishedDashboard, loadRevision, type PublishedDashboard } from './published-dashboard-store.js';
import { mountPythonRun } from './python-run.js';
import { createViewerAuthentication, type DashboardViewer, requireDashboard } from './viewers.js';
import { mountDashboardViews } from './views.js';

const maxBytes = 64 * 1024 * 1024;

/**
 * Response body that is equal for all readers of a dashboard, and the names of the attributes that are added per
 * reader.
 */
interface DashboardBody {
  readonly json: SerializedJson;
  /** The user attributes from which filters take their initial values. */
  readonly userAttributes: readonly string[];
}

/**
 * Caches serialized bodies of published dashboards. The key contains everything that a body depends on. Callers check
 * access before they use the cache.
 */
class DashboardBodyCache {
  readonly #db: Db;
  readonly #cache = new BoundedCache<DashboardBody>(maxBytes);
  /** Bodies that are being read from the database. Concurrent callers share one read. */
  readonly #loading = new Map<string, Promise<DashboardBody | null>>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns the body of a dashboard at this revision; `null` if the dashboard has changed since. */
  async find(dashboard: PublishedDashboard): Promise<DashboardBody | null> {
    const { id, revision, restrictDataDownload } = dashboard;
    const key = `${id} ${revision} ${restrictDataDownload}`;
    const cached = this.#cache.find(key);
    if (cached) return cached.value;
    const loading = this.#loading.get(key) ?? this.#load(key, dashboard);
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(key: string, dashboard: PublishedDashboard): Promise<DashboardBody | null> {
    try {
      const loaded = await loadRevision(this.#db, dashboard);
      if (!loaded) return null;
      const json = new SerializedJson(new TextEncoder().encode(JSON.stringify(loaded)));
      const body = { json, userAttributes: attributesIn(loaded.config) };
      this.#cache.set(key, body, json.bytes.byteLength);
      return body;
    } finally {
      this.#loading.delete(key);
    }
  }
}

/** Returns distinct user attributes that the filters of a dashboard refer to. */
function attributesIn({ widgets }: DashboardConfig): readonly string[] {
  const named = (widgets ?? []).map(({ type, config }) => (type === 'FILTER' ? config?.userAttribute : undefined));
  return [...new Set(named.filter(name => typeof name === 'string'))];
}

/** Adds the values of these user attributes of the reader to the body. */
function withAttributes(
  { json, userAttributes }: DashboardBody,
  values: Readonly<Record<string, unknown>>,
): SerializedJson {
  const own = userAttributes.filter(name => Object.hasOwn(values, name)).map(name => [name, values[name]] as const);
  const rest = new TextEncoder().encode(`,"userAttributes":${JSON.stringify(Object.fromEntries(own))}}`);
  // Replaces the closing brace of the body. A comma is always needed, because the body has other keys.
  const upTo = json.bytes.byteLength - 1;
  const bytes = new Uint8Array(upTo + rest.byteLength);
  bytes.set(json.bytes.subarray(0, upTo));
  bytes.set(rest, upTo);
  return new SerializedJson(bytes);
}

/** Mounts the routes of published dashboards for embedding (operations.md, Embed). */
export function mountEmbedDashboards(app: Hono, deps: RouteDeps): void {
  const { db } = deps;
  const bodies = new DashboardBodyCache(db);
  const authenticate = createViewerAuthentication(deps);
  const reading = { ...deps, authenticate };
  mountEmbedComments(app, reading);
  mountDashboardViews(app, reading);
  mountAiWidgets(app, deps, reading);
  mountPythonRun(app, deps, reading);

  serve(app, getDashboard, reading, async ({ principal: reader, request, params }) => {
    // If the dashboard changed after the access check, checks access again before reading it again.
    for (let current = reader, attempt = 1; attempt <= 3; attempt++) {
      const body = await bodies.find(withDownloadRight(current));
      if (body) return body.userAttributes.length === 0 ? body.json : withAttributes(body, await valuesOf(db, current));
      current = await authenticate(request, params);
    }
    throw new PlatformError(503, 'Other requests are changing the dashboard. Try again in a moment.');
  });

  write(app, updateDashboardEmbedding, deps, async ({ params, body, principal }, tx) => {
    const { publicId } = params;
    const found = await findPublishedDashboard(tx, principal, publicId);
    if (!found?.isInReach || isForeign(principal, found.dashboard)) throw notFound('Dashboard');
    await setAllowEmbed(tx, found.dashboard.workbookId, body);
    return { publicId, allowEmbed: body.allowEmbed };
  });
}

/** Returns the requested dashboard, with downloads disabled if the caller may not download data (spec 2.2). */
function withDownloadRight(reader: DashboardViewer): PublishedDashboard {
  const dashboard = requireDashboard(reader);
  const mayDownload = isAllowedOnDeployment(reader.rights, 'DownloadData', dashboard.deploymentId);
  return { ...dashboard, restrictDataDownload: dashboard.restrictDataDownload || !mayDownload };
}

/** Returns the attribute values of the reader. An embed session contains them, as policies of the model use them. */
async function valuesOf(db: Db, { principal }: DashboardViewer): Promise<Readonly<Record<string, unknown>>> {
  if (principal.kind === 'embed') return principal.securityContext.platform.userAttributes;
  return attributeValuesOf(db, principal.userId);
}

/**
 * True for a dashboard of another deployment or, in an embed session, of another tenant, regardless of the user's role.
 */
function isForeign(principal: Principal, { deploymentId, embedTenantId }: PublishedDashboard): boolean {
  if (!canReadDeployment(principal, deploymentId)) return true;
  return principal.kind === 'embed' && embedTenantId !== null && embedTenantId !== principal.embedTenantId;
}
