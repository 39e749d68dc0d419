import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import type { SealedSecrets } from '../auth/sealed-secrets.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { deploymentEnvironments, environmentTokens } from '../db/schema.js';

/** An environment as it is stored. */
export type StoredEnvironment = typeof deploymentEnvironments.$inferSelect;
type TokenRow = typeof environmentTokens.$inferSelect;

/** A token that was made for an environment. */
export interface StoredEnvironmentToken {
  /** Null where the key that sealed it is not known any more: nothing takes such a token either. */
  readonly token: string | null;
  readonly securityContext: JsonObject;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

type Page<T> = KeysetPage<T> & { readonly total: number };
interface PageAsked {
  readonly page: PageRequest;
  readonly offset: number;
}

const environmentsById = new Keyset<StoredEnvironment>('environments', { id: deploymentEnvironments.id }, 'asc');
const tokensById = new Keyset<TokenRow>('environment-tokens', { id: environmentTokens.id }, 'asc');

/** A page of the environments of a deployment, all or those of a type. */
export async function listEnvironments(
  db: Db,
  deploymentId: number,
  { type, page, offset }: PageAsked & { readonly type: StoredEnvironment['type'] | null },
): Promise<Page<StoredEnvironment>> {
  const asked = and(
    eq(deploymentEnvironments.deploymentId, deploymentId),
    type === null ? undefined : eq(deploymentEnvironments.type, type),
  );
  const rows = await db
    .select()
    .from(deploymentEnvironments)
    .where(and(asked, environmentsById.after(page)))
    .orderBy(...environmentsById.orderBy)
    .offset(offset)
    .limit(environmentsById.limit(page));
  return { ...environmentsById.page(rows, page), total: await db.$count(deploymentEnvironments, asked) };
}

/** True when an environment belongs to a deployment. */
export async function isEnvironmentOf(db: Db, deploymentId: number, environmentId: number): Promise<boolean> {
  const { id } = deploymentEnvironments;
  const found = await db
    .select({ id })
    .from(deploymentEnvironments)
    .where(and(eq(id, environmentId), eq(deploymentEnvironments.deploymentId, deploymentId)));
  return found.length > 0;
}

/** A page of the tokens of an environment that are still good. */
export async function listEnvironmentTokens(
  db: Db,
  secrets: SealedSecrets,
  environmentId: number,
  { page, offset }: PageAsked,
): Promise<Page<StoredEnvironmentToken>> {
  const good = and(eq(environmentTokens.environmentId, environmentId), gt(environmentTokens.expiresAt, sql`now()`));
  const rows = await db
    .select()
    .from(environmentTokens)
    .where(and(good, tokensById.after(page)))
    .orderBy(...tokensById.orderBy)
    .offset(offset)
    .limit(tokensById.limit(page));
  const { items, pageInfo } = tokensById.page(rows, page);
  const opened = items.map(row => ({ ...row, token: secrets.open(row.sealedToken, ownerOf(row)) }));
  return { items: opened, pageInfo, total: await db.$count(environmentTokens, good) };
}

/** Keeps a token, sealed for its row. */
export async function insertEnvironmentToken(
  tx: Db,
  secrets: SealedSecrets,
  { token, ...row }: Pick<TokenRow, 'environmentId' | 'securityContext' | 'expiresAt'> & { readonly token: string },
): Promise<{ readonly id: number; readonly createdAt: Date }> {
  const { id, createdAt } = environmentTokens;
  const [added] = await tx
    .insert(environmentTokens)
    .values({ ...row, sealedToken: '' })
    .returning({ id, createdAt });
  if (!added) throw new Error('An insert returned no row.');
  const sealedToken = secrets.seal(token, ownerOf({ ...row, id: added.id }));
  await tx.update(environmentTokens).set({ sealedToken }).where(eq(id, added.id));
  return added;
}

/** Forgets tokens that nothing takes any more. */
export async function deleteExpiredEnvironmentTokens(db: Db): Promise<void> {
  await db.delete(environmentTokens).where(lt(environmentTokens.expiresAt, sql`now()`));
}

/**
 * Seals anew what an older key has sealed, so that that key can be given up. What no key opens stays as it is until it expires.
 * @returns how many were sealed anew.
 */
export async function resealEnvironmentTokens(db: Db, secrets: SealedSecrets): Promise<number> {
  const rows = await db.select().from(environmentTokens);
  let resealed = 0;
  for (const row of rows) {
    const { id, sealedToken } = row;
    const token = secrets.isCurrent(sealedToken) ? null : secrets.open(sealedToken, ownerOf(row));
    if (token === null) continue;
    // Whoever else starts at the same time seals it no worse.
    await db
      .update(environmentTokens)
      .set({ sealedToken: secrets.seal(token, ownerOf(row)) })
      .where(and(eq(environmentTokens.id, id), eq(environmentTokens.sealedToken, sealedToken)));
    resealed += 1;
  }
  return resealed;
}

/** What a sealed token belongs to: in another row, or another environment's, it doesn't open. */
function ownerOf({ id, environmentId }: Pick<TokenRow, 'id' | 'environmentId'>): string {
  return `environment_tokens:${id}:${environmentId}`;
}
