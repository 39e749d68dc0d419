import { asc, eq, sql } from 'drizzle-orm';
import type { JsonObject } from '../../../contract/wire.js';
import type { SealedSecrets } from '../../auth/sealed-secrets.js';
import type { Db } from '../../db/database.js';
import { oauthIntegrations, userOauthTokens } from '../../db/schema.js';
import type { OAuthService } from './oauth-client.js';

/** A stored integration. */
export type StoredIntegration = typeof oauthIntegrations.$inferSelect;

/** The fields of an integration that a request sets. */
type IntegrationContent = Omit<StoredIntegration, 'id' | 'sealedSecret' | 'createdAt' | 'updatedAt'>;

const ownerOf = (id: number): string => `oauth_integrations:${id}`;

/** Lists the integrations, oldest first. */
export async function listIntegrations(db: Db): Promise<StoredIntegration[]> {
  return db.select().from(oauthIntegrations).orderBy(asc(oauthIntegrations.id));
}

/** Returns an integration, or `null`. */
export async function findIntegration(db: Db, id: number): Promise<StoredIntegration | null> {
  const [found] = await db.select().from(oauthIntegrations).where(eq(oauthIntegrations.id, id));
  return found ?? null;
}

/** Returns an integration, and locks it until the transaction ends. */
export async function lockIntegration(tx: Db, id: number): Promise<StoredIntegration | null> {
  const [found] = await tx.select().from(oauthIntegrations).where(eq(oauthIntegrations.id, id)).for('update');
  return found ?? null;
}

/** Creates an integration. */
export async function insertIntegration(
  tx: Db,
  secrets: SealedSecrets,
  { clientSecret, ...content }: IntegrationContent & { readonly clientSecret: string },
): Promise<StoredIntegration> {
  const [created] = await tx
    .insert(oauthIntegrations)
    .values({ ...content, sealedSecret: '' })
    .returning({ id: oauthIntegrations.id });
  if (!created) throw new Error('The new OAuth integration was not stored.');
  return changeIntegration(tx, secrets, created.id, { ...content, clientSecret });
}

/** Replaces an integration; keeps its secret if `clientSecret` is `null`. */
export async function changeIntegration(
  tx: Db,
  secrets: SealedSecrets,
  id: number,
  { clientSecret, ...content }: IntegrationContent & { readonly clientSecret: string | null },
): Promise<StoredIntegration> {
  const sealed = clientSecret === null ? {} : { sealedSecret: secrets.seal(clientSecret, ownerOf(id)) };
  const [changed] = await tx
    .update(oauthIntegrations)
    .set({ ...content, ...sealed, updatedAt: sql`now()` })
    .where(eq(oauthIntegrations.id, id))
    .returning();
  if (!changed) throw new Error('The OAuth integration no longer exists.');
  return changed;
}

/** Deletes an integration and its tokens. */
export async function deleteIntegration(tx: Db, id: number): Promise<void> {
  await tx.delete(oauthIntegrations).where(eq(oauthIntegrations.id, id));
}

/** Deletes the tokens that users have from an integration. */
export async function deleteTokensOf(tx: Db, integrationId: number): Promise<void> {
  await tx.delete(userOauthTokens).where(eq(userOauthTokens.integrationId, integrationId));
}

/** Returns the service of an integration; `null` if no configured key decrypts its secret. */
export function serviceOf(secrets: SealedSecrets, integration: StoredIntegration): OAuthService | null {
  const { id, authUrl, tokenUrl, redirectUri, clientId, scopes, sealedSecret, config } = integration;
  const clientSecret = secrets.open(sealedSecret, ownerOf(id));
  if (clientSecret === null) return null;
  return {
    authUrl,
    tokenUrl,
    redirectUri,
    clientId,
    clientSecret,
    scopes,
    revocationUrl: textIn(config, 'revocationUrl'),
  };
}

/** Returns a string setting of a configuration; `null` if there is none. */
export function textIn(config: JsonObject | null, name: string): string | null {
  const value = config && Object.hasOwn(config, name) ? config[name] : null;
  return typeof value === 'string' ? value : null;
}

/** Re-encrypts client secrets that a previous secret key encrypted. */
export async function resealIntegrations(db: Db, secrets: SealedSecrets): Promise<void> {
  for (const { id, sealedSecret } of await db.select().from(oauthIntegrations)) {
    const secret = secrets.isCurrent(sealedSecret) ? null : secrets.open(sealedSecret, ownerOf(id));
    if (secret === null) continue;
    await db
      .update(oauthIntegrations)
      .set({ sealedSecret: secrets.seal(secret, ownerOf(id)) })
      .where(eq(oauthIntegrations.id, id));
  }
}
