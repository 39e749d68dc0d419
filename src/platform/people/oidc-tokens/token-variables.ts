import { createHash } from 'node:crypto';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { SealedSecrets } from '../../auth/sealed-secrets.js';
import type { Db } from '../../db/database.js';
import { oidcTokenConfigs, signingKeys } from '../../db/schema.js';
import type { ServedVariable } from '../../db/variable-changes.js';
import { type IssuedToken, issueToken } from './issue-token.js';

/**
 * Time before its expiry at which a token is replaced, ms, so that new connections never use one that is about to
 * expire.
 */
const renewBeforeMs = 30 * 60_000;

/**
 * Creates a reader of the tokens that the URL of the data source can contain: one for each enabled configuration with
 * `targetEnvVar`. Tokens are cached until half of their lifetime has passed or their key is retired, because the data
 * source is opened again with a new token.
 */
export function createTokenReader(
  db: Db,
  secrets: SealedSecrets,
  issuer: string,
): () => Promise<readonly ServedVariable[]> {
  let issued = new Map<string, IssuedToken>();
  return async () => {
    const configs = await db
      .select()
      .from(oidcTokenConfigs)
      .where(and(eq(oidcTokenConfigs.isEnabled, true), isNotNull(oidcTokenConfigs.targetEnvVar)));
    const keys = await db.select({ kid: signingKeys.kid }).from(signingKeys);
    const validKeys = new Set(keys.map(({ kid }) => kid));
    const next = new Map<string, IssuedToken>();
    const variables: ServedVariable[] = [];
    for (const config of configs) {
      const key = `${config.id} ${config.updatedAt.toISOString()}`;
      const known = issued.get(key);
      const isFresh = known && validKeys.has(known.kid) && known.expiresAt.getTime() - Date.now() > renewBeforeMs;
      const token = isFresh ? known : await issueToken(db, secrets, issuer, { config, component: 'data-source' });
      next.set(key, token);
      const revision = createHash('sha256').update(token.token).digest('hex').slice(0, 16);
      variables.push({ name: config.targetEnvVar ?? '', value: token.token, revision });
    }
    issued = next;
    return variables;
  };
}
