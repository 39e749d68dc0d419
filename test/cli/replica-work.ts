import { setTimeout } from 'node:timers/promises';
import * as client from '../../src/client/index.js';
import { createEmbedSession } from '../../src/node/index.js';
import type { ReplicaSet } from './replica-set.js';

/** What was written by a request that can't be tried again, and how often it is there. */
export interface WrittenOnce {
  readonly what: string;
  readonly isAcknowledged: boolean;
  readonly found: number;
}

/** What a lane has written of its own. */
interface Lane {
  readonly workbookId: number;
  readonly slug: string;
  steps: number;
}

const most = 10;

/** Work of hosts and their users on a set of replicas, several at a time, until it is ended. */
export class ReplicaWork {
  readonly #replicas: ReplicaSet;
  readonly #publicId: string;
  readonly #lanes: Lane[] = [];
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

  /** Begins to work, on a dashboard that all embed users may read. */
  static async begin(
    replicas: ReplicaSet,
    { publicId, lanes }: { readonly publicId: string; readonly lanes: number },
  ): Promise<ReplicaWork> {
    const work = new ReplicaWork(replicas, publicId);
    for (let index = 0; index < lanes; index++) {
      const slug = `lane-${index}`;
      const { id } = await client.upsertWorkbookBySlug(replicas.admin, { deploymentId: 1, slug }, {});
      work.#lanes.push({ workbookId: id, slug, steps: 0 });
    }
    work.#running = Promise.all(work.#lanes.map(lane => work.#work(lane)));
    return work;
  }

  /** Resolves when so many more steps are done. */
  async steps(count: number): Promise<void> {
    const until = this.#done + count;
    while (this.#done < until && this.#failures.length === 0) await setTimeout(10);
  }

  /** Ends the work, and looks at what is left of it. */
  async end(): Promise<{ readonly failures: readonly string[]; readonly counts: readonly WrittenOnce[] }> {
    this.#isEnding = true;
    await this.#running;
    for (const lane of this.#lanes) await this.#check(lane).catch(error => this.#failures.push(String(error)));
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

  /** Branches whose sync still runs. */
  async unfinished(): Promise<string[]> {
    const running: string[] = [];
    for await (const { branchName, status } of this.#runs()) if (status === 'RUNNING') running.push(branchName);
    return running;
  }

  #runs() {
    return client.eachItem(page => client.listTransformSyncs(this.#replicas.admin, 1, page));
  }

  async #work(lane: Lane): Promise<void> {
    while (!this.#isEnding && this.#failures.length === 0) {
      try {
        await this.#step(lane, `${lane.slug} step ${lane.steps++}`);
        this.#done++;
      } catch (error) {
        this.#failures.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
      }
    }
  }

  async #step({ workbookId, slug }: Lane, label: string): Promise<void> {
    const { admin } = this.#replicas;
    const { sessionId, token } = await this.#signIn(label);
    const user = this.#replicas.as(token);
    await client.getDashboard(user, this.#publicId);
    await client.upsertWorkbookBySlug(admin, { deploymentId: 1, slug }, { name: label, meta: { [label]: true } });
    // The same config once more publishes nothing.
    const config = { title: label, widgets: [] };
    await again(() => client.publishDashboard(admin, { deploymentId: 1, workbookId }, { config }));
    await once(this.#comments, label, () => client.createDashboardComment(user, this.#publicId, { body: label }));
    await once(this.#syncs, label, () => client.startTransformSync(admin, 1, { branchName: label }));
    await again(() => client.revokeSession(admin, sessionId));
    for (let replica = 0; replica < 3; replica++) {
      const refusal = await client.getDashboard(user, this.#publicId).then(
        () => null,
        (error: unknown) => error,
      );
      if (!(refusal instanceof client.PaAuthenticationError)) throw new Error(`${label}: a revoked session was let in`);
    }
  }

  /** Where an answer was lost, the session may be used up: a page's host mints another one. */
  #signIn(externalId: string): Promise<{ readonly sessionId: string; readonly token: string }> {
    const { admin } = this.#replicas;
    const host = { baseUrl: admin.baseUrl, apiKey: admin.token, retries: most };
    const grant = { deploymentId: 1, externalId, embedTenantName: 'workers' };
    return again(async () => {
      const { sessionId } = await createEmbedSession(host, grant);
      return { sessionId, token: await client.exchangeSession(admin, sessionId) };
    });
  }

  /** All that a lane wrote by requests that can be tried again is there, once. */
  async #check({ workbookId, slug, steps }: Lane): Promise<void> {
    const { meta, publishedDashboard } = await client.getWorkbook(this.#replicas.admin, {
      deploymentId: 1,
      workbookId,
    });
    const labels = Array.from({ length: steps }, (_, step) => `${slug} step ${step}`);
    const missing = labels.filter(label => meta[label] !== true);
    if (missing.length > 0) this.#failures.push(`${slug}: lost ${missing.join(', ')}`);
    if (publishedDashboard?.versionNumber !== steps) {
      this.#failures.push(`${slug}: ${publishedDashboard?.versionNumber} versions in place of ${steps}`);
    }
  }
}

/** Does again what may be done twice, for as long as it fails in a way that passes. */
async function again<T>(attempt: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures === most || !client.isTransient(error)) throw error;
      await setTimeout(50 * failures);
    }
  }
}

/** Does what may not be done twice, and notes whether it was acknowledged. */
async function once(written: Map<string, boolean>, what: string, attempt: () => Promise<unknown>): Promise<void> {
  try {
    await attempt();
    written.set(what, true);
  } catch (error) {
    if (!client.isTransient(error)) throw error;
    written.set(what, false);
  }
}
