import { createHash } from 'node:crypto';
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { SealedSecrets } from '../../auth/sealed-secrets.js';
import { isActiveUser } from '../../auth/user-store.js';
import type { Db } from '../../db/database.js';
import { oauthIntegrations, Role, userOauthTokens, users } from '../../db/schema.js';
import { notifyVariables, type ServedVariable } from '../../db/variable-changes.js';
import { serviceOf } from './integration-store.js';
import { OAuthError, type OAuthTokens, refreshTokens } from './oauth-client.js';
import type { OAuthOptions } from './oauth-options.js';

/** A stored token of a user. */
export type StoredUserToken = typeof userOauthTokens.$inferSelect;

/** Identifies the advisory locks of refreshes. */
const refreshLock = 7_301;
/** Time before its expiry at which a token is refreshed, ms. */
const refreshBeforeMs = 2 * 60_000;

const { userId, integrationId } = userOauthTokens;
const of = (user: number, integration: number) => and(eq(userId, user), eq(integrationId, integration));
const ownerOf = (user: number, integration: number, kind: 'access' | 'refresh'): string =>
  `user_oauth_tokens:${user}:${integration}:${kind}`;

/** Lists the tokens of a user, oldest first. */
export async function listUserTokens(db: Db, user: number): Promise<StoredUserToken[]> {
  return db.select().from(userOauthTokens).where(eq(userId, user)).orderBy(asc(userOauthTokens.id));
}

/** Returns the token of a user, or `null`. */
export async function findUserToken(db: Db, user: number, integration: number): Promise<StoredUserToken | null> {
  const [found] = await db.select().from(userOauthTokens).where(of(user, integration));
  return found ?? null;
}

/** Stores the token of a user, and replaces the previous one. */
export async function writeUserToken(
  tx: Db,
  secrets: SealedSecrets,
  ref: TokenRef,
  tokens: OAuthTokens,
): Promise<void> {
  const row = sealTokens(secrets, ref, tokens);
  await tx
    .insert(userOauthTokens)
    .values({ ...row, userId: ref.user, integrationId: ref.integration })
    .onConflictDoUpdate({ target: [userId, integrationId], set: { ...row, updatedAt: sql`now()` } });
}

function sealTokens(secrets: SealedSecrets, { user, integration }: TokenRef, tokens: OAuthTokens) {
  const { accessToken, refreshToken, accessTokenExpiresAt, refreshTokenExpiresAt } = tokens;
  const sealedRefreshToken =
    refreshToken === null ? null : secrets.seal(refreshToken, ownerOf(user, integration, 'refresh'));
  return {
    sealedAccessToken: secrets.seal(accessToken, ownerOf(user, integration, 'access')),
    sealedRefreshToken,
    accessTokenExpiresAt,
    refreshTokenExpiresAt,
    lastError: null,
  };
}

/** Deletes the token of a user, and returns its decrypted parts. */
export async function takeUserToken(
  tx: Db,
  secrets: SealedSecrets,
  user: number,
  integration: number,
): Promise<{ readonly access: string | null; readonly refresh: string | null } | null> {
  const [deleted] = await tx.delete(userOauthTokens).where(of(user, integration)).returning();
  if (!deleted) return null;
  await notifyVariables(tx);
  const open = (sealed: string | null, kind: 'access' | 'refresh') =>
    sealed === null ? null : secrets.open(sealed, ownerOf(user, integration, kind));
  return { access: open(deleted.sealedAccessToken, 'access'), refresh: open(deleted.sealedRefreshToken, 'refresh') };
}

/** Deletes all tokens of a user. */
export async function deleteUserTokens(tx: Db, user: number): Promise<void> {
  const deleted = await tx.delete(userOauthTokens).where(eq(userId, user)).returning({ id: userOauthTokens.id });
  if (deleted.length > 0) await notifyVariables(tx);
}

/** Dependencies of requests to services. */
interface OAuthDeps {
  readonly secrets: SealedSecrets;
  readonly options: OAuthOptions;
}

/** Identifies a token. */
interface TokenRef {
  readonly user: number;
  readonly integration: number;
}

/**
 * Returns a usable access token of a user; `null` if there is none. Refreshes it if it expires soon. Processes refresh
 * one after another, because services reject a refresh token that is used twice. The row is not locked during the
 * request, so that a slow service cannot delay the deactivation of the user.
 */
export async function accessTokenOf(db: Db, deps: OAuthDeps, ref: TokenRef): Promise<string | null> {
  const { secrets } = deps;
  const found = await readToken(db, secrets, ref);
  if (!found || found.msLeft > refreshBeforeMs) return found?.access ?? null;
  return db.transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(${refreshLock}, hashint8(${found.id}))`);
    const current = await readToken(tx, secrets, ref);
    if (!current || current.msLeft > refreshBeforeMs) return current?.access ?? null;
    const usable = current.msLeft > 0 ? current.access : null;
    if (current.refresh === null || !current.service) return usable;
    try {
      const tokens = await refreshTokens(current.service, current.refresh, deps.options);
      const isStored = await changeToken(tx, current, sealTokens(secrets, ref, tokens));
      return isStored ? tokens.accessToken : null;
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const lastError = { code: error.code, at: new Date().toISOString() };
      // A rejected refresh token is never accepted again.
      const isFinal = error.code === 'invalid_grant';
      const isStored = await changeToken(tx, current, { lastError, ...(isFinal && { sealedRefreshToken: null }) });
      return isStored ? usable : null;
    }
  });
}

/** Reads a token of an active user with its service; `null` if there is none. */
async function readToken(db: Db, secrets: SealedSecrets, { user, integration }: TokenRef) {
  const [found] = await db
    .select({ token: userOauthTokens, integration: oauthIntegrations })
    .from(userOauthTokens)
    .innerJoin(oauthIntegrations, eq(oauthIntegrations.id, integrationId))
    .innerJoin(users, and(eq(users.id, userId), isActiveUser))
    .where(of(user, integration));
  if (!found) return null;
  const { id, sealedAccessToken, sealedRefreshToken, accessTokenExpiresAt } = found.token;
  const open = (sealed: string | null, kind: 'access' | 'refresh') =>
    sealed === null ? null : secrets.open(sealed, ownerOf(user, integration, kind));
  return {
    id,
    sealedAccessToken,
    access: open(sealedAccessToken, 'access'),
    refresh: open(sealedRefreshToken, 'refresh'),
    msLeft: (accessTokenExpiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now(),
    service: serviceOf(secrets, found.integration),
  };
}

/** Changes a token unless it was replaced or deleted since it was read. Returns false in this case. */
async function changeToken(
  tx: Db,
  { id, sealedAccessToken }: Pick<StoredUserToken, 'id' | 'sealedAccessToken'>,
  change: Partial<typeof userOauthTokens.$inferInsert>,
): Promise<boolean> {
  const isSame =
    sealedAccessToken === null
      ? isNull(userOauthTokens.sealedAccessToken)
      : eq(userOauthTokens.sealedAccessToken, sealedAccessToken);
  const changed = await tx
    .update(userOauthTokens)
    .set({ ...change, updatedAt: sql`now()` })
    .where(and(eq(userOauthTokens.id, id), isSame))
    .returning({ id: userOauthTokens.id });
  return changed.length > 0;
}

/**
 * Creates a reader of the tokens that the URL of the data source can contain: for each integration with
 * `config.targetEnvVar`, the token of the user who set it.
 */
export function createUserTokenReader(db: Db, deps: OAuthDeps): () => Promise<readonly ServedVariable[]> {
  return async () => {
    const used = await db
      .select({
        id: oauthIntegrations.id,
        targetEnvVar: oauthIntegrations.targetEnvVar,
        dataUserId: oauthIntegrations.dataUserId,
      })
      .from(oauthIntegrations)
      // A user who has lost the admin role must not choose the identity for all data.
      .innerJoin(users, and(eq(users.id, oauthIntegrations.dataUserId), eq(users.role, Role.admin)))
      .where(isNotNull(oauthIntegrations.targetEnvVar));
    const variables: ServedVariable[] = [];
    for (const { id, targetEnvVar, dataUserId } of used) {
      if (targetEnvVar === null || dataUserId === null) continue;
      const value = await accessTokenOf(db, deps, { user: dataUserId, integration: id });
      if (value === null) continue;
      const revision = createHash('sha256').update(value).digest('hex').slice(0, 16);
      variables.push({ name: targetEnvVar, value, revision });
    }
    return variables;
  };
}

/** Re-encrypts tokens that a previous secret key encrypted. Does not write tokens that the current key encrypts. */
export async function resealUserTokens(db: Db, secrets: SealedSecrets): Promise<void> {
  for (const row of await db.select().from(userOauthTokens)) {
    const stored = [row.sealedAccessToken, row.sealedRefreshToken];
    if (stored.every(sealed => sealed === null || secrets.isCurrent(sealed))) continue;
    const reseal = (sealed: string | null, kind: 'access' | 'refresh') => {
      if (sealed === null || secrets.isCurrent(sealed)) return sealed;
      const owner = ownerOf(row.userId, row.integrationId, kind);
      const token = secrets.open(sealed, owner);
      return token === null ? sealed : secrets.seal(token, owner);
    };
    await db
      .update(userOauthTokens)
      .set({
        sealedAccessToken: reseal(row.sealedAccessToken, 'access'),
        sealedRefreshToken: reseal(row.sealedRefreshToken, 'refresh'),
      })
      .where(and(eq(userOauthTokens.id, row.id), eq(userOauthTokens.updatedAt, row.updatedAt)));
  }
}
