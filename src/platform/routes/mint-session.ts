import { checkEmbedGrant, type EmbedGrant, type GrantProblem } from '../../contract/embed-grant.js';
import { Batches } from '../batches.js';
import { PlatformError } from '../errors.js';
import { type AuditEntry, recordWrites } from '../store/audit.js';
import type { Db } from '../store/database.js';
import { findDeployment } from '../store/deployments.js';
import { type GrantSubject, type KnownSubject, knownSubjectsFinder } from '../store/repeated-grants.js';
import { findRolePolicies } from '../store/roles.js';
import type { SessionClaims } from '../store/schema.js';
import { createSessions } from '../store/sessions.js';
import { readDefault } from '../store/user-attributes.js';
import { notFound } from './access.js';
import { applyGrant } from './apply-grant.js';
import { claimsOfRepeated } from './repeated-grant.js';
import { retrying } from './write.js';

/** What the audit log tells of a mint beside whom the session is for. */
export type Minting = Omit<AuditEntry, 'target'>;

/** Mints the one-time session of a grant and returns its id. */
export type MintSession = (grant: EmbedGrant, minting: Minting) => Promise<string>;

interface NewSession {
  readonly claims: SessionClaims;
  readonly entry: AuditEntry;
}

/**
 * Applies grants and mints their one-time sessions (domain facts 1.1), with an entry in the audit log. A grant that is refused has
 * changed nothing. Grants that change nothing of what is stored are looked at and written down together when they come at once: each
 * waits until its session is safe, and no session of such a group is if not all are.
 */
export function sessionMinter(db: Db): MintSession {
  const known = new Batches<GrantSubject, KnownSubject | null>(knownSubjectsFinder(db));
  const sessions = new Batches<NewSession, string>(list => retrying(() => db.transaction(tx => store(tx, list))));

  return async (grant, minting) => {
    const problem = checkEmbedGrant(grant) ?? checkDefaults(grant);
    if (problem) throw new PlatformError(400, `body.${problem.field}: ${problem.message}`);
    if (grant.branchName != null) throw notFound('Branch');
    const repeated = await findRepeated(grant);
    if (repeated) return sessions.add({ claims: repeated, entry: entryOf(minting, repeated) });
    if (!(await findDeployment(db, grant.deploymentId))) throw notFound('Deployment');
    return applyGrant(db, grant, 'body', async (tx, claims) => {
      const [sessionId] = await store(tx, [{ claims, entry: entryOf(minting, claims) }]);
      if (sessionId === undefined) throw new Error('A session was stored without an id.');
      return sessionId;
    });
  };

  async function findRepeated(grant: EmbedGrant): Promise<SessionClaims | null> {
    const { externalId, deploymentId, embedTenantName = null, roles } = grant;
    if (externalId == null) return null;
    const [subject, policies] = await Promise.all([
      known.add({ embedTenantName, externalId, deploymentId }),
      findRolePolicies(db, roles ?? []),
    ]);
    const areThere = roles?.every(name => policies.has(name)) ?? true;
    return subject && areThere ? claimsOfRepeated(subject, grant, [...policies.values()].flat()) : null;
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

function entryOf(minting: Minting, { deploymentId, embedTenantId, userId }: SessionClaims): AuditEntry {
  return { ...minting, target: { deploymentId, embedTenantId, userId } };
}

function checkDefaults(grant: EmbedGrant): GrantProblem | null {
  const wrong = (grant.userAttributeDefinitions ?? []).find(
    ({ type, defaultValue }) => defaultValue != null && readDefault(type, defaultValue) === null,
  );
  if (!wrong) return null;
  const message = `the defaultValue of ${wrong.name} must be JSON text of a ${wrong.type}`;
  return { field: 'userAttributeDefinitions', message };
}
