import { randomUUID } from 'node:crypto';
import { asc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.js';
import { replicas } from '../../db/schema.js';

/** A platform process. */
export type StoredReplica = typeof replicas.$inferSelect;

const beatEveryMs = 5_000;
/** A process whose last heartbeat is older has ended. */
const maxAge = sql`interval '20 seconds'`;

/** The heartbeat of this process, by which others know that it runs. */
export class Heartbeat {
  /** Name of this process. */
  readonly name = `platform-${randomUUID().slice(0, 8)}`;
  readonly #db: Db;
  readonly #version: string;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | null = null;
  #beating: Promise<void> | null = null;

  constructor(db: Db, version: string, onFailure: (error: unknown) => void) {
    this.#db = db;
    this.#version = version;
    this.#onFailure = onFailure;
  }

  async start(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => {
      this.#beating ??= this.#beat()
        .catch(this.#onFailure)
        .finally(() => {
          this.#beating = null;
        });
    }, beatEveryMs).unref();
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#beating;
    // If it fails, the entry expires.
    await this.#db
      .delete(replicas)
      .where(eq(replicas.name, this.name))
      .catch(() => undefined);
  }

  async #beat(): Promise<void> {
    const { name } = this;
    await this.#db
      .insert(replicas)
      .values({ name, version: this.#version })
      .onConflictDoUpdate({ target: replicas.name, set: { seenAt: sql`now()` } });
    await this.#db.delete(replicas).where(lt(replicas.seenAt, sql`now() - ${maxAge} * 10`));
  }
}

/** Lists the processes that run, oldest first. */
export async function listReplicas(db: Db): Promise<StoredReplica[]> {
  const isRunning = gt(replicas.seenAt, sql`now() - ${maxAge}`);
  return db.select().from(replicas).where(isRunning).orderBy(asc(replicas.startedAt), asc(replicas.name));
}
