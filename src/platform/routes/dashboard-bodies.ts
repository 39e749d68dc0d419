import type { DashboardConfig } from '../../contract/dashboards.js';
import { BoundedCache } from '../data/bounded-cache.js';
import { SerializedJson } from '../mount.js';
import type { Db } from '../store/database.js';
import { loadRevision, type PublishedDashboard } from '../store/published-dashboards.js';

const maxBytes = 64 * 1024 * 1024;

/** What every reader of a dashboard is told, and by what a reader's own part of it is chosen. */
export interface DashboardBody {
  readonly json: SerializedJson;
  /** The user attributes that its filters start from. */
  readonly userAttributes: readonly string[];
}

/**
 * What readers of published dashboards are told, as it is sent. It is kept by all that it depends on and says nothing about who may
 * read it: that is settled before anybody asks here.
 */
export class DashboardBodies {
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
export function withAttributes(
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
