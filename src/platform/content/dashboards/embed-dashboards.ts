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
import { mountEmbedComments } from './comments.js';
import { setAllowEmbed } from './dashboard-store.js';
import { findPublishedDashboard, loadRevision, type PublishedDashboard } from './published-dashboard-store.js';
import { createViewerAuthentication, type DashboardViewer, requireDashboard } from './viewers.js';

const maxBytes = 64 * 1024 * 1024;

/** What every reader of a dashboard is told, and by what a reader's own part of it is chosen. */
interface DashboardBody {
  readonly json: SerializedJson;
  /** The user attributes that its filters start from. */
  readonly userAttributes: readonly string[];
}

/**
 * What readers of published dashboards are told, as it is sent. It is kept by all that it depends on and says nothing about who may
 * read it: that is settled before anybody asks here.
 */
class DashboardBodyCache {
  readonly #db: Db;
  readonly #kept = new BoundedCache<DashboardBody>(maxBytes);
  /** Those that are being read, so that who asks at once shares it. */
  readonly #loading = new Map<string, Promise<DashboardBody | null>>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** The body of a dashboard as it was found; null when it has changed since. */
  async find(dashboard: PublishedDashboard): Promise<DashboardBody | null> {
    const { id, revision, restrictDataDownload } = dashboard;
    const key = `${id} ${revision} ${restrictDataDownload}`;
    const kept = this.#kept.find(key);
    if (kept) return kept.value;
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
      this.#kept.set(key, body, json.bytes.byteLength);
      return body;
    } finally {
      this.#loading.delete(key);
    }
  }
}

/** The user attributes that a dashboard's filters name, each once. */
function attributesIn({ widgets }: DashboardConfig): readonly string[] {
  const named = (widgets ?? []).map(({ type, config }) => (type === 'FILTER' ? config?.userAttribute : undefined));
  return [...new Set(named.filter(name => typeof name === 'string'))];
}

/** The body with what one reader alone is told: the values of just those attributes that the filters name. */
function withAttributes(
  { json, userAttributes }: DashboardBody,
  values: Readonly<Record<string, unknown>>,
): SerializedJson {
  const own = userAttributes.filter(name => Object.hasOwn(values, name)).map(name => [name, values[name]] as const);
  const rest = new TextEncoder().encode(`,"userAttributes":${JSON.stringify(Object.fromEntries(own))}}`);
  // In the place of the brace that ends the body, which holds other keys before it.
  const upTo = json.bytes.byteLength - 1;
  const bytes = new Uint8Array(upTo + rest.byteLength);
  bytes.set(json.bytes.subarray(0, upTo));
  bytes.set(rest, upTo);
  return new SerializedJson(bytes);
}

/** Published dashboards, for whoever may see them (operations facts, Embed). */
export function mountEmbedDashboards(app: Hono, deps: RouteDeps): void {
  const { db } = deps;
  const bodies = new DashboardBodyCache(db);
  const authenticate = createViewerAuthentication(deps);
  const reading = { ...deps, authenticate };
  mountEmbedComments(app, reading);

  serve(app, getDashboard, reading, async ({ principal: reader, request, params }) => {
    // What changes between the look at access and the look at the body is looked at anew, access first.
    for (let current = reader, attempt = 1; attempt <= 3; attempt++) {
      const body = await bodies.find(asTold(current));
      if (body) return body.userAttributes.length === 0 ? body.json : withAttributes(body, await valuesOf(db, current));
      current = await authenticate(request, params);
    }
    throw new PlatformError(503, 'The dashboard changes as it is read: try again in a moment.');
  });

  write(app, updateDashboardEmbedding, deps, async ({ params, body, principal }, tx) => {
    const { publicId } = params;
    const found = await findPublishedDashboard(tx, principal, publicId);
    if (!found?.isInReach || isForeign(principal, found.dashboard)) throw notFound('Dashboard');
    await setAllowEmbed(tx, found.dashboard.workbookId, body.allowEmbed);
    return { publicId, allowEmbed: body.allowEmbed };
  });
}

/** The dashboard that a caller asks for, with downloads closed to whoever lacks the right to them (spec 2.2). */
function asTold(reader: DashboardViewer): PublishedDashboard {
  const dashboard = requireDashboard(reader);
  const mayDownload = isAllowedOnDeployment(reader.rights, 'DownloadData', dashboard.deploymentId);
  return { ...dashboard, restrictDataDownload: dashboard.restrictDataDownload || !mayDownload };
}

/** A session has its user's attributes with it, as the model's policies see them. */
async function valuesOf(db: Db, { principal }: DashboardViewer): Promise<Readonly<Record<string, unknown>>> {
  if (principal.kind === 'embed') return principal.securityContext.platform.userAttributes;
  return attributeValuesOf(db, principal.userId);
}

/** True for a dashboard of another deployment, and to an embed session for that of another tenant, whatever its user's role. */
function isForeign(principal: Principal, { deploymentId, embedTenantId }: PublishedDashboard): boolean {
  if (!canReadDeployment(principal, deploymentId)) return true;
  return principal.kind === 'embed' && embedTenantId !== null && embedTenantId !== principal.embedTenantId;
}
