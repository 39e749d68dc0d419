import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { maxWebhookBytes, receiveRepositoryWebhook as receive } from '../../../contract/repository.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { Db } from '../../db/database.js';
import { jobs, type WebhookPullResult } from '../../db/schema.js';
import { PlatformError } from '../../errors.js';
import { networkOf } from '../../http/limit-requests.js';
import { RateLimiter, takeAllowance } from '../../http/rate-limiter.js';
import { readBytes } from '../../http/read-body.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact } from '../../http/serve.js';
import type { JobHandler } from '../../jobs/job-queue.js';
import { enqueueJob } from '../../jobs/job-store.js';
import { deployBranch, isBranchName } from '../git/paths.js';
import { findConnection, recordWebhookPull, type StoredConnection, webhookSecretOf } from './connection-store.js';
import { type LinkDeps, RepositoryLinks } from './repository-links.js';

/** Kind of the jobs that pull a branch after an event of a git host. */
export const repositoryPullKind = 'repository-pull';

/** Events per minute: from one network, before the signature is checked, and of one deployment, after it. */
const limits = { network: 120, deployment: 60 } as const;
/** Author of merge commits that no user has started. */
const webhookAuthor = 'webhook';
const unknownSecret = 'a secret that no webhook has';

/** Mounts the receiver of push events of git hosts. All rejected events get the same response. */
export function mountWebhook(app: Hono, deps: RouteDeps): void {
  const { db, sealedSecrets } = deps;
  const limiter = new RateLimiter({ take: (key, windowMs, amount) => takeAllowance(db, key, windowMs, amount) });

  serve(app, receive, deps, async ({ params, request, address }) => {
    const { deploymentId } = params;
    await limiter.count(`webhook of ${address === null ? '' : networkOf(address)}`, limits.network);
    const body = await readBytes(request, { maxBytes: maxWebhookBytes });
    const connection = await findConnection(db, deploymentId);
    const secret = connection && webhookSecretOf(sealedSecrets, connection);
    const isSigned = isSignature(request.headers.get('x-hub-signature-256'), body, secret ?? unknownSecret);
    if (!connection || secret === null || !isSigned) throw new PlatformError(401, 'The signature is not valid.');
    await limiter.count(`webhook of deployment ${deploymentId}`, limits.deployment);
    const branchName = branchOf(connection, body);
    if (branchName === null) return undefined;
    const context = { principal: null, request, target: { deploymentId, branchName } };
    await transact(db, receive.id, context, tx => enqueuePull(tx, { deploymentId, branchName }));
    return undefined;
  });
}

/** Compares a signature in constant time. */
function isSignature(header: string | null, body: Uint8Array, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const [, hex = ''] = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '') ?? [];
  const given = hex === '' ? Buffer.alloc(expected.length) : Buffer.from(hex, 'hex');
  return timingSafeEqual(given, expected) && hex !== '';
}

/** Returns the branch of the deployment that an event is about; `null` if it is about a tag or a branch without one. */
function branchOf({ deployBranchName }: StoredConnection, body: Buffer): string | null {
  const ref = refIn(body);
  if (ref === null) return deployBranch;
  const [, name = ''] = /^refs\/heads\/(.+)$/.exec(ref) ?? [];
  if (name === deployBranchName) return deployBranch;
  // The deploy branch exchanges commits with another branch of the repository then.
  return isBranchName(name) && name !== deployBranch ? name : null;
}

function refIn(body: Buffer): string | null {
  try {
    const { ref } = Object(JSON.parse(body.toString()));
    return typeof ref === 'string' ? ref : null;
  } catch {
    // Some git hosts send forms.
    return null;
  }
}

/** Enqueues a pull, unless the same pull is waiting already. */
async function enqueuePull(tx: Db, payload: { readonly deploymentId: number; readonly branchName: string }) {
  const isSame = sql`${jobs.payload}::jsonb = ${JSON.stringify(payload)}::jsonb`;
  const waiting = and(eq(jobs.kind, repositoryPullKind), isNull(jobs.leaseOwner), isSame);
  const [found] = await tx.select({ id: jobs.id }).from(jobs).where(waiting).limit(1);
  if (!found) await enqueueJob(tx, repositoryPullKind, payload);
}

/** Creates the handler for jobs that pull a branch. The jobs are idempotent: a second pull changes nothing. */
export function repositoryPullHandler(deps: LinkDeps): JobHandler {
  const links = new RepositoryLinks(deps);
  const record = (
    payload: JsonObject,
    result: Pick<WebhookPullResult, 'isChanged' | 'problem'>,
    startedAt = new Date(),
  ) => {
    const finishedAt = new Date().toISOString();
    const stored = { branchName: String(payload.branchName), finishedAt, startedAt, ...result };
    return recordWebhookPull(deps.db, Number(payload.deploymentId), stored);
  };
  return {
    async run(payload) {
      const startedAt = new Date();
      try {
        const isChanged = await links.pull(Number(payload.deploymentId), String(payload.branchName), webhookAuthor);
        await record(payload, { isChanged, problem: null }, startedAt);
        // A failed cleanup must not fail the pull. The next write retries it.
        await links.collectGarbage(Number(payload.deploymentId)).catch(() => undefined);
      } catch (error) {
        // A retry has the same result, unless the git host or the platform failed.
        if (!(error instanceof PlatformError) || error.status >= 500) throw error;
        // The repository has branches that the deployment does not have.
        if (error.status !== 404) await record(payload, { isChanged: false, problem: error.message }, startedAt);
      }
    },
    failPermanently(payload) {
      const problem = 'The pull failed repeatedly. Pull the branch to see the reason.';
      return record(payload, { isChanged: false, problem });
    },
  };
}
