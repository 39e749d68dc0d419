import { setTimeout } from 'node:timers/promises';
import * as client from '../../src/client/index.js';
import { createEmbedSession } from '../../src/node/index.js';
import type { ReplicaSet } from './replica-set.js';

/** Result of a request that must not be retried. */
export interface WrittenOnce {
  readonly what: string;
  readonly isAcknowledged: boolean;
  readonly found: number;
}

/** State of one worker. */
interface Worker {
  readonly workbookId: number;
  readonly slug: string;
  steps: number;
}

const maxAttempts = 10;

/** Concurrent work of hosts and their users on a set of replicas, until it is ended. */
export class ReplicaWork {
  readonly #replicas: ReplicaSet;
  readonly #publicId: string;
  readonly #workers: Worker[] = [];
  readonly #comments = new Map<string, boolean>();
  readonly #syncs = new Map<string, boolean>();
  readonly #failures: string[] = [];
  #done = 0;
  #isEnding = false;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(replicas: ReplicaSet, publicId: string) {
    this.#replicas = replicas;
    this.#publicId = publicId;
  }

  /** Starts work on a dashboard that all embed users may read. */
  static async begin(
    replicas: ReplicaSet,
    { publicId, workers }: { readonly publicId: string; readonly workers: number },
  ): Promise<ReplicaWork> {
    const work = new ReplicaWork(replicas, publicId);
    for (let index = 0; index < workers; index++) {
      const slug = `worker-${index}`;
      const { id } = await client.upsertWorkbookBySlug(replicas.admin, { deploymentId: 1, slug }, {});
      work.#workers.push({ workbookId: id, slug, steps: 0 });
    }
    work.#running = Promise.all(work.#workers.map(worker => work.#work(worker)));
    return work;
  }

  /** Resolves after the given number of further steps. */
  async steps(count: number): Promise<void> {
    const until = this.#done + count;
    while (this.#done < until && this.#failures.length === 0) await setTimeout(10);
  }

  /** Ends the work and checks its results. */
  async end(): Promise<{ readonly failures: readonly string[]; readonly counts: readonly WrittenOnce[] }> {
    this.#isEnding = true;
    await this.#running;
    for (const worker of this.#workers) await this.#check(worker).catch(error => this.#failures.push(String(error)));
    const { token } = await this.#signIn('auditor');
    const reader = this.#replicas.as(token);
    const bodies: string[] = [];
    const pages = client.eachItem(page => client.listDashboardComments(reader, this.#publicId, page), { pageSize: 50 });
    for await (const { root } of pages) bodies.push(root.body);
    const branches: string[] = [];
    for await (const { branchName } of this.#runs()) branches.push(branchName);
    const count = (written: ReadonlyMap<string, boolean>, all: readonly string[]) =>
      [...written].map(([what, isAcknowledged]) => {
        const found = all.filter(each => each === what).length;
        return { what, isAcknowledged, found };
      });
    return { failures: this.#failures, counts: [...count(this.#comments, bodies), ...count(this.#syncs, branches)] };
  }

  /** Branches whose sync is still running. */
  async unfinished(): Promise<string[]> {
    const running: string[] = [];
    for await (const { branchName, status } of this.#runs()) if (status === 'RUNNING') running.push(branchName);
    return running;
  }

  #runs() {
    return client.eachItem(page => client.listTransformSyncs(this.#replicas.admin, 1, page));
  }

  async #work(worker: Worker): Promise<void> {
    while (!this.#isEnding && this.#failures.length === 0) {
      try {
        await this.#step(worker, `${worker.slug} step ${worker.steps++}`);
        this.#done++;
      } catch (error) {
        this.#failures.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
      }
    }
  }

  async #step({ workbookId, slug }: Worker, label: string): Promise<void> {
    const { admin } = this.#replicas;
    const { sessionId, token } = await this.#signIn(label);
    const user = this.#replicas.as(token);
    await client.getDashboard(user, this.#publicId);
    await client.upsertWorkbookBySlug(admin, { deploymentId: 1, slug }, { name: label, meta: { [label]: true } });
    // Publishing the same config again has no effect.
    const config = { title: label, widgets: [] };
    await retry(() => client.publishDashboard(admin, { deploymentId: 1, workbookId }, { config }));
    await once(this.#comments, label, () => client.createDashboardComment(user, this.#publicId, { body: label }));
    await once(this.#syncs, label, () => client.startTransformSync(admin, 1, { branchName: label }));
    await retry(() => client.revokeSession(admin, sessionId));
    for (let replica = 0; replica < 3; replica++) {
      const refusal = await client.getDashboard(user, this.#publicId).then(
        () => null,
        (error: unknown) => error,
      );
      if (!(refusal instanceof client.PaAuthenticationError))
        throw new Error(`${label}: a revoked session was accepted`);
    }
  }

  /** Signs in. If a response was lost, the session may be used up, so another one is minted. */
  #signIn(externalId: string): Promise<{ readonly sessionId: string; readonly token: string }> {
    const { admin } = this.#replicas;
    const host = { baseUrl: admin.baseUrl, apiKey: admin.token, retries: maxAttempts };
    const grant = { deploymentId: 1, externalId, embedTenantName: 'workers' };
    return retry(async () => {
      const { sessionId } = await createEmbedSession(host, grant);
      return { sessionId, token: await client.exchangeSession(admin, sessionId) };
    });
  }

  /** Checks that all retryable writes of a worker were applied exactly once. */
  async #check({ workbookId, slug, steps }: Worker): Promise<void> {
    const { meta, publishedDashboard } = await client.getWorkbook(this.#replicas.admin, {
      deploymentId: 1,
      workbookId,
    });
    const labels = Array.from({ length: steps }, (_, step) => `${slug} step ${step}`);
    const missing = labels.filter(label => meta[label] !== true);
    if (missing.length > 0) this.#failures.push(`${slug}: lost ${missing.join(', ')}`);
    if (publishedDashboard?.versionNumber !== steps) {
      this.#failures.push(`${slug}: ${publishedDashboard?.versionNumber} versions instead of ${steps}`);
    }
  }
}

/** Retries an idempotent request while its errors are transient. */
async function retry<T>(attempt: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures === maxAttempts || !client.isTransient(error)) throw error;
      await setTimeout(50 * failures);
    }
  }
}

/** Sends a request that must not be retried, and records whether it was acknowledged. */
async function once(written: Map<string, boolean>, what: string, attempt: () => Promise<unknown>): Promise<void> {
  try {
    await attempt();
    written.set(what, true);
  } catch (error) {
    if (!client.isTransient(error)) throw error;
    written.set(what, false);
  }
}
