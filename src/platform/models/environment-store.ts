import { and, eq, gt, lt, ne, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import type { SealedSecrets } from '../auth/sealed-secrets.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { deploymentEnvironments, deployments, environmentTokens } from '../db/schema.js';

/** A stored environment. */
export type StoredEnvironment = typeof deploymentEnvironments.$inferSelect;
type TokenRow = typeof environmentTokens.$inferSelect;

/** A token that was created for an environment. */
export interface StoredEnvironmentToken {
  /**
   * The token; `null` if the key that encrypted it is no longer configured. Such a token is also rejected in requests.
   */
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

/**
 * Returns a page of the environments of a deployment, optionally of one type, and their total number.
 * @param hasDevelopment - whether the list contains environments of the type `development`.
 */
export async function listEnvironments(
  db: Db,
  deploymentId: number,
  {
    type,
    hasDevelopment,
    page,
    offset,
  }: PageAsked & { readonly type: StoredEnvironment['type'] | null; readonly hasDevelopment: boolean },
): Promise<Page<StoredEnvironment>> {
  const asked = and(
    eq(deploymentEnvironments.deploymentId, deploymentId),
    type === null ? undefined : eq(deploymentEnvironments.type, type),
    hasDevelopment ? undefined : ne(deploymentEnvironments.type, 'development'),
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

/** Returns an environment of a deployment; `null` if it does not exist. */
export async function findEnvironment(
  db: Db,
  deploymentId: number,
  environmentId: number,
): Promise<StoredEnvironment | null> {
  const { id } = deploymentEnvironments;
  const [found] = await db
    .select()
    .from(deploymentEnvironments)
    .where(and(eq(id, environmentId), eq(deploymentEnvironments.deploymentId, deploymentId)));
  return found ?? null;
}

/** Returns the names of the branches of a deployment that have a staging environment. */
export async function listStagedBranches(db: Db, deploymentId: number): Promise<ReadonlySet<string>> {
  const { branch } = deploymentEnvironments;
  const rows = await db.select({ branch }).from(deploymentEnvironments).where(isStagingOf(deploymentId));
  return new Set(rows.flatMap(row => row.branch ?? []));
}

/** Creates the staging environment of a branch, unless it exists. */
export async function insertStagingEnvironment(tx: Db, deploymentId: number, branch: string): Promise<void> {
  await lockEnvironments(tx, deploymentId);
  if ((await listStagedBranches(tx, deploymentId)).has(branch)) return;
  await tx.insert(deploymentEnvironments).values({ deploymentId, type: 'staging', branch });
}

/** Makes transactions that create environments of a deployment run one after another. */
async function lockEnvironments(tx: Db, deploymentId: number): Promise<void> {
  await tx.execute(sql`select from ${deployments} where ${deployments.id} = ${deploymentId} for no key update`);
}

/** Deletes the staging environment of a branch with its tokens. */
export async function deleteStagingEnvironment(tx: Db, deploymentId: number, branch: string): Promise<void> {
  await tx
    .delete(deploymentEnvironments)
    .where(and(isStagingOf(deploymentId), eq(deploymentEnvironments.branch, branch)));
}

/** Deletes the environments of a branch with their tokens: its users leave development mode. */
export async function deleteEnvironmentsOfBranch(tx: Db, deploymentId: number, branchName: string): Promise<void> {
  const { branch, deploymentId: deployment } = deploymentEnvironments;
  await tx.delete(deploymentEnvironments).where(and(eq(deployment, deploymentId), eq(branch, branchName)));
}

/** A user of a deployment. */
export interface DevelopmentUser {
  readonly deploymentId: number;
  readonly userId: number;
}

/**
 * Returns the branch of the user's development environment, which may have been deleted; `null` if the user has no
 * environment.
 */
export async function findDevelopmentBranch(db: Db, user: DevelopmentUser): Promise<string | null> {
  const { branch } = deploymentEnvironments;
  const [found] = await db.select({ branch }).from(deploymentEnvironments).where(isDevelopmentOf(user));
  return found?.branch ?? null;
}

/** Creates the development environment of a user. Replaces one of another branch, with its tokens. */
export async function insertDevelopmentEnvironment(tx: Db, user: DevelopmentUser, branch: string): Promise<void> {
  await lockEnvironments(tx, user.deploymentId);
  const current = await findDevelopmentBranch(tx, user);
  if (current === branch) return;
  await deleteDevelopmentEnvironment(tx, user);
  await tx.insert(deploymentEnvironments).values({ ...user, type: 'development', branch });
}

/** Deletes the development environment of a user with its tokens. */
export async function deleteDevelopmentEnvironment(tx: Db, user: DevelopmentUser): Promise<void> {
  await tx.delete(deploymentEnvironments).where(isDevelopmentOf(user));
}

function isDevelopmentOf({ deploymentId, userId }: DevelopmentUser) {
  return and(eq(deploymentEnvironments.deploymentId, deploymentId), eq(deploymentEnvironments.userId, userId));
}

function isStagingOf(deploymentId: number) {
  return and(eq(deploymentEnvironments.deploymentId, deploymentId), eq(deploymentEnvironments.type, 'staging'));
}

/** Returns a page of the tokens of an environment that are not expired, and their total number. */
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

/** Stores a token, encrypted and bound to its row. */
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

/** Deletes expired tokens. */
export async function deleteExpiredEnvironmentTokens(db: Db): Promise<void> {
  await db.delete(environmentTokens).where(lt(environmentTokens.expiresAt, sql`now()`));
}

/**
 * Encrypts tokens of previous keys with the current key, so that the previous keys can be removed. Skips tokens that no
 * configured key decrypts; they remain until they expire.
 * @returns the number of re-encrypted tokens.
 */
export async function resealEnvironmentTokens(db: Db, secrets: SealedSecrets): Promise<number> {
  const rows = await db.select().from(environmentTokens);
  let resealed = 0;
  for (const row of rows) {
    const { id, sealedToken } = row;
    const token = secrets.isCurrent(sealedToken) ? null : secrets.open(sealedToken, ownerOf(row));
    if (token === null) continue;
    // If another platform that starts at the same time writes first, its result is valid too.
    await db
      .update(environmentTokens)
      .set({ sealedToken: secrets.seal(token, ownerOf(row)) })
      .where(and(eq(environmentTokens.id, id), eq(environmentTokens.sealedToken, sealedToken)));
    resealed += 1;
  }
  return resealed;
}

/** Returns the owner that a token is bound to. The token cannot be decrypted in another row or environment. */
function ownerOf({ id, environmentId }: Pick<TokenRow, 'id' | 'environmentId'>): string {
  return `environment_tokens:${id}:${environmentId}`;
}
