import { exchangeSession } from '../../contract/embed.js';
import { Batches } from '../batches.js';
import { recordWrites } from '../store/audit.js';
import type { Db } from '../store/database.js';
import type { SessionClaims } from '../store/schema.js';
import { takeSessions } from '../store/sessions.js';
import { noteLogins } from '../store/users.js';
import { retrying } from './write.js';

/** A session that is to be exchanged, and by which request. */
export interface Exchange {
  readonly sessionKey: string;
  readonly requestId: string | null;
}

/**
 * Takes sessions out of the store, with an entry in the audit log and the login of their users; those that come at once in one
 * transaction. Of several who bring the same one the first gets it; null for everybody else, and where it is not there any more.
 */
export function sessionTaker(db: Db): (exchange: Exchange) => Promise<SessionClaims | null> {
  const exchanges = new Batches<Exchange, SessionClaims | null>(list =>
    retrying(() => db.transaction(tx => take(tx, list))),
  );
  return exchange => exchanges.add(exchange);
}

async function take(tx: Db, list: readonly Exchange[]): Promise<(SessionClaims | null)[]> {
  const firsts = new Map(list.map(({ sessionKey }) => [sessionKey, -1]));
  const taken = await takeSessions(tx, [...firsts.keys()]);
  const got = list.map(({ sessionKey }, index) => {
    if (firsts.get(sessionKey) !== -1) return null;
    firsts.set(sessionKey, index);
    return taken.get(sessionKey) ?? null;
  });
  if (taken.size > 0) {
    await noteLogins(
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
