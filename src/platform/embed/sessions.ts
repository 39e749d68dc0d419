import type { Hono } from 'hono';
import { exchangeSession, revokeSession } from '../../contract/embed.js';
import { checkEmbedGrant, type EmbedGrant, type GrantProblem, generateSession } from '../../contract/embed-grant.js';
import { defaultDeploymentId } from '../auth/model-target.js';
import * as sessions from '../auth/sessions.js';
import { consumeSessions, createSessions } from '../auth/sessions.js';
import { recordLogins } from '../auth/user-store.js';
import type { Db } from '../db/database.js';
import type { SessionClaims } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import { notFound, requireManager } from '../http/access.js';
import { type AuditEntry, recordWrites } from '../http/audit.js';
import { requestIdOf } from '../http/request-id.js';
import type { RouteDeps } from '../http/route-deps.js';
import { retryTransaction, serve, write } from '../http/serve.js';
import { findDeployment } from '../models/deployment-store.js';
import { Repositories } from '../models/git/repositories.js';
import { findRolePolicies } from '../people/role-store.js';
import { Batcher } from '../runtime/batcher.js';
import { readDefault } from '../settings/user-attribute-store.js';
import { applyGrant } from './apply-grant.js';
import {
  claimsOfUnchangedGrant,
  createKnownSubjectsFinder,
  type GrantSubject,
  type KnownSubject,
} from './unchanged-grant.js';

/** A session to exchange, and the id of the request that exchanges it. */
interface SessionExchange {
  readonly sessionKey: string;
  readonly requestId: string | null;
}

/**
 * Creates a function that consumes sessions and records the login of the user and an audit log entry. Concurrent
 * exchanges share a transaction. If several requests present the same session, only the first one gets its claims. The
 * function returns `null` for the others, and if the session does not exist.
 */
function createSessionExchange(db: Db): (exchange: SessionExchange) => Promise<SessionClaims | null> {
  const exchanges = new Batcher<SessionExchange, SessionClaims | null>(list =>
    retryTransaction(() => db.transaction(tx => take(tx, list))),
  );
  return exchange => exchanges.add(exchange);
}

async function take(tx: Db, list: readonly SessionExchange[]): Promise<(SessionClaims | null)[]> {
  const firsts = new Map(list.map(({ sessionKey }) => [sessionKey, -1]));
  const taken = await consumeSessions(tx, [...firsts.keys()]);
  const got = list.map(({ sessionKey }, index) => {
    if (firsts.get(sessionKey) !== -1) return null;
    firsts.set(sessionKey, index);
    return taken.get(sessionKey) ?? null;
  });
  if (taken.size > 0) {
    await recordLogins(
      tx,
      [...taken.values()].map(({ userId }) => userId),
    );
  }
  await recordWrites(
    tx,
    got.flatMap((claims, index) => {
      if (!claims) return [];
      const { deploymentId, embedTenantId, userId } = claims;
      const requestId = list[index]?.requestId ?? null;
      const target = { deploymentId, embedTenantId, userId };
      return [{ operation: exchangeSession.id, principal: null, target, requestId }];
    }),
  );
  return got;
}

/** The fields of the audit log entry for minting a session, without the target. */
type MintAudit = Omit<AuditEntry, 'target'>;

/** Mints a one-time session for a grant and returns its id. */
type MintSession = (grant: EmbedGrant, minting: MintAudit) => Promise<string>;

interface NewSession {
  readonly claims: SessionClaims;
  readonly entry: AuditEntry;
}

/**
 * Creates a function that applies a grant and mints its one-time session (domain.md 1.1), with an audit log entry. A
 * rejected grant changes nothing. Concurrent grants that do not change stored data are read and written in batches:
 * each request waits until its batch is committed, and if the transaction fails, no session of the batch is stored.
 */
function createSessionMinter(db: Db, repositories: Repositories | null): MintSession {
  const known = new Batcher<GrantSubject, KnownSubject | null>(createKnownSubjectsFinder(db));
  const sessions = new Batcher<NewSession, string>(list =>
    retryTransaction(() => db.transaction(tx => store(tx, list))),
  );

  return async (grant, minting) => {
    const problem = checkEmbedGrant(grant) ?? checkDefaults(grant);
    if (problem) throw new PlatformError(400, `body.${problem.field}: ${problem.message}`);
    if (grant.branchName != null) await requireBranch(grant.deploymentId, grant.branchName);
    const repeated = await findRepeated(grant);
    if (repeated) return sessions.add({ claims: repeated, entry: entryOf(minting, repeated) });
    if (!(await findDeployment(db, grant.deploymentId))) throw notFound('Deployment');
    return applyGrant(db, grant, 'body', async (tx, claims) => {
      const [sessionId] = await store(tx, [{ claims, entry: entryOf(minting, claims) }]);
      if (sessionId === undefined) throw new Error('A session was stored without an id.');
      return sessionId;
    });
  };

  /** @throws PlatformError 404 if the model has no such branch. */
  async function requireBranch(deploymentId: number, branchName: string): Promise<void> {
    if (!repositories || deploymentId === defaultDeploymentId) throw notFound('Branch');
    await repositories.find({ deploymentId, branchName });
  }

  async function findRepeated(grant: EmbedGrant): Promise<SessionClaims | null> {
    const { externalId, deploymentId, embedTenantName = null, roles } = grant;
    if (externalId == null) return null;
    const [subject, policies] = await Promise.all([
      known.add({ embedTenantName, externalId, deploymentId }),
      findRolePolicies(db, roles ?? []),
    ]);
    const areThere = roles?.every(name => policies.has(name)) ?? true;
    return subject && areThere ? claimsOfUnchangedGrant(subject, grant, [...policies.values()].flat()) : null;
  }
}

async function store(tx: Db, list: readonly NewSession[]): Promise<string[]> {
  const sessionIds = await createSessions(
    tx,
    list.map(({ claims }) => claims),
  );
  await recordWrites(
    tx,
    list.map(({ entry }) => entry),
  );
  return sessionIds;
}

function entryOf(minting: MintAudit, { deploymentId, embedTenantId, userId }: SessionClaims): AuditEntry {
  return { ...minting, target: { deploymentId, embedTenantId, userId } };
}

function checkDefaults(grant: EmbedGrant): GrantProblem | null {
  const wrong = (grant.userAttributeDefinitions ?? []).find(
    ({ type, defaultValue }) => defaultValue != null && readDefault(type, defaultValue) === null,
  );
  if (!wrong) return null;
  const message = `the defaultValue of ${wrong.name} must be a value of type ${wrong.type} as JSON text`;
  return { field: 'userAttributeDefinitions', message };
}

/**
 * Mounts the routes for embed sessions (domain.md 1.1 to 1.3): the host's back end creates and revokes a session, and
 * a page exchanges it once for a token. The audit log records each step without the session id.
 */
export function mountEmbedSessions(app: Hono, deps: RouteDeps): void {
  const { db, tokens } = deps;
  const { deploymentsDirectory } = deps;
  const repositories = deploymentsDirectory === null ? null : new Repositories(deploymentsDirectory);
  const mintSession = createSessionMinter(db, repositories);
  const takeSession = createSessionExchange(db);

  serve(app, generateSession, deps, async ({ body, principal, request }) => {
    requireManager(principal);
    const minting = { operation: generateSession.id, principal, requestId: requestIdOf(request) };
    return { sessionId: await mintSession(body, minting) };
  });

  serve(app, exchangeSession, deps, async ({ body, request }) => {
    const sessionKey = sessions.sessionKeyOf(body.sessionId);
    const claims = await takeSession({ sessionKey, requestId: requestIdOf(request) });
    if (!claims) throw new PlatformError(401, 'The session is unknown, used or expired. Create a new one.');
    return { token: await tokens.signEmbedToken({ ...claims, sessionKey }) };
  });

  write(app, revokeSession, deps, async ({ body, principal }, tx) => {
    requireManager(principal);
    await sessions.revokeSession(tx, sessions.sessionKeyOf(body.sessionId));
    return undefined;
  });
}
