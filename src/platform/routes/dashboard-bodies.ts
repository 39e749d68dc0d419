import { BoundedCache } from '../data/bounded-cache.js';
import { SerializedJson } from '../mount.js';
import type { Db } from '../store/database.js';
import { loadRevision, type PublishedDashboard } from '../store/published-dashboards.js';

const maxBytes = 64 * 1024 * 1024;

/**
 * What readers of published dashboards are told, as it is sent. It is kept by all that it depends on and says nothing about who may
 * read it: that is settled before anybody asks here.
 */
export class DashboardBodies {
  readonly #db: Db;
  readonly #kept = new BoundedCache<SerializedJson>(maxBytes);
  /** Those that are being read, so that who asks at once shares it. */
  readonly #loading = new Map<string, Promise<SerializedJson | null>>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** The body of a dashboard as it was found; null when it has changed since. */
  async find(dashboard: PublishedDashboard): Promise<SerializedJson | null> {
    const { id, revision, restrictDataDownload } = dashboard;
    const key = `${id} ${revision} ${restrictDataDownload}`;
    const kept = this.#kept.find(key);
    if (kept) return kept.value;
    const loading = this.#loading.get(key) ?? this.#load(key, dashboard);
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(key: string, dashboard: PublishedDashboard): Promise<SerializedJson | null> {
    try {
      const loaded = await loadRevision(this.#db, dashboard);
      if (!loaded) return null;
      const body = new SerializedJson(new TextEncoder().encode(JSON.stringify(loaded)));
      this.#kept.set(key, body, body.bytes.byteLength);
      return body;
    } finally {
      this.#loading.delete(key);
    }
  }
}
