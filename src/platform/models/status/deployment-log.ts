import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { ModelEvent } from '../../data/deployment-data.js';
import type { Db } from '../../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../../db/keyset.js';
import { deploymentLogs, deployments } from '../../db/schema.js';
import { deployBranch } from '../git/paths.js';

/** A stored log line. */
export type StoredLogLine = typeof deploymentLogs.$inferSelect;

/** A log line of a deployment. */
export interface LogLine {
  readonly deploymentId: number;
  readonly level: 'info' | 'error';
  readonly message: string;
  /** Branch that the line is about; the deploy branch if `null`. */
  readonly branchName: string | null;
}

/** Returns the line about a compiled model. */
export function modelLine({ target, version, ms, problem }: ModelEvent): LogLine {
  const { deploymentId, branchName } = target;
  const commit = version.slice(0, 12);
  if (problem === null) {
    return {
      deploymentId,
      branchName,
      level: 'info',
      message: `The model of commit ${commit} was compiled in ${ms} ms.`,
    };
  }
  const message = `The model of commit ${commit} does not compile. ${problem}`;
  return { deploymentId, branchName, level: 'error', message };
}

const flushEveryMs = 500;
/** Number of lines that wait to be written. Further lines are dropped. */
const maxWaiting = 500;
/** Number of stored lines of a deployment. */
const maxLines = 1_000;
const maxLength = 1_000;

/** Writes the log lines of deployments to the database, a few times per second, so that no request waits for it. */
export class DeploymentLog {
  readonly #db: Db;
  readonly #pod: string;
  readonly #onFailure: (error: unknown) => void;
  #waiting: (typeof deploymentLogs.$inferInsert)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  /** @param pod - name of this process. */
  constructor(db: Db, pod: string, onFailure: (error: unknown) => void) {
    this.#db = db;
    this.#pod = pod;
    this.#onFailure = onFailure;
  }

  add({ deploymentId, level, message, branchName }: LogLine): void {
    if (this.#waiting.length >= maxWaiting) return;
    const isProduction = branchName === null || branchName === deployBranch;
    this.#waiting.push({
      deploymentId,
      level,
      source: isProduction ? 'production' : 'dev',
      branchName,
      pod: this.#pod,
      message: message.slice(0, maxLength),
      at: new Date(),
    });
    this.#timer ??= setTimeout(() => void this.#flush(), flushEveryMs).unref();
  }

  async close(): Promise<void> {
    await this.#flush();
  }

  #flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const lines = this.#waiting;
    this.#waiting = [];
    this.#writing = this.#writing.then(() => this.#write(lines)).catch(this.#onFailure);
    return this.#writing;
  }

  async #write(lines: readonly (typeof deploymentLogs.$inferInsert)[]): Promise<void> {
    const ids = [...new Set(lines.map(({ deploymentId }) => deploymentId))];
    if (ids.length === 0) return;
    await this.#db.transaction(async tx => {
      // A deployment may have been deleted meanwhile.
      const found = await tx
        .select({ id: deployments.id })
        .from(deployments)
        .where(inArray(deployments.id, ids))
        .for('key share');
      const known = new Set(found.map(({ id }) => id));
      const rows = lines.filter(({ deploymentId }) => known.has(deploymentId));
      if (rows.length > 0) await tx.insert(deploymentLogs).values([...rows]);
      for (const id of known) await deleteOldLines(tx, id);
    });
  }
}

async function deleteOldLines(tx: Db, deploymentId: number): Promise<void> {
  const oldest = sql`(select id from deployment_logs where deployment_id = ${deploymentId}
    order by id desc offset ${maxLines - 1} limit 1)`;
  await tx
    .delete(deploymentLogs)
    .where(and(eq(deploymentLogs.deploymentId, deploymentId), lt(deploymentLogs.id, oldest)));
}

const newestFirst = new Keyset<StoredLogLine>('deployment-logs', { id: deploymentLogs.id }, 'desc');

/** Selects log lines. */
export interface LogFilter {
  readonly deploymentId: number;
  readonly source?: 'production' | 'dev' | undefined;
  readonly pod?: string | undefined;
}

/** Returns one page of the log lines of a deployment, newest first. */
export async function listLogLines(
  db: Db,
  { deploymentId, source, pod }: LogFilter,
  page: PageRequest,
): Promise<KeysetPage<StoredLogLine>> {
  const rows = await db
    .select()
    .from(deploymentLogs)
    .where(
      and(
        eq(deploymentLogs.deploymentId, deploymentId),
        source && eq(deploymentLogs.source, source),
        pod === undefined ? undefined : eq(deploymentLogs.pod, pod),
        newestFirst.after(page),
      ),
    )
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.page(rows, page);
}
