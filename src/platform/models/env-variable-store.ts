import { createHash } from 'node:crypto';
import { and, eq, ilike, inArray, sql } from 'drizzle-orm';
import { isMaskedName } from '../../contract/env-variables.js';
import type { SealedSecrets } from '../auth/sealed-secrets.js';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { deployments, environmentVariables } from '../db/schema.js';
import { notifyVariables, type ServedVariable } from '../db/variable-changes.js';

type Row = typeof environmentVariables.$inferSelect;

/** An environment variable with its decrypted value. */
export interface StoredVariable {
  readonly name: string;
  /** The value; `null` if the key that encrypted it is no longer configured. */
  readonly value: string | null;
}

/** A variable to write. */
export interface WrittenVariable {
  readonly name: string;
  readonly value: string;
}

const { id, deploymentId, name } = environmentVariables;
const byName = new Keyset<Row>('env-variables', { name, id }, 'asc');

/** Returns a page of the variables of a deployment that match the search, ordered by name. */
export async function listVariables(
  db: Db,
  secrets: SealedSecrets,
  filter: { readonly deploymentId: number; readonly search?: string | undefined },
  page: PageRequest,
): Promise<KeysetPage<Row & StoredVariable>> {
  const found = filter.search === undefined ? undefined : ilike(name, containsPattern(filter.search));
  const rows = await db
    .select()
    .from(environmentVariables)
    .where(and(eq(deploymentId, filter.deploymentId), found, byName.after(page)))
    .orderBy(...byName.orderBy)
    .limit(byName.limit(page));
  const { items, pageInfo } = byName.page(rows, page);
  return { items: items.map(row => ({ ...row, value: secrets.open(row.sealedValue, ownerOf(row)) })), pageInfo };
}

/** Returns the given names that exist in a deployment. */
export async function findVariableNames(
  db: Db,
  ofDeployment: number,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ name })
    .from(environmentVariables)
    .where(and(eq(deploymentId, ofDeployment), inArray(name, [...names])));
  return new Set(rows.map(row => row.name));
}

/**
 * Creates or updates variables, and notifies all platforms on the database when the transaction commits. Skips values
 * that are stored already, so that the model is not compiled again.
 */
export async function writeVariables(
  tx: Db,
  secrets: SealedSecrets,
  ofDeployment: number,
  variables: readonly WrittenVariable[],
): Promise<void> {
  const names = variables.map(variable => variable.name);
  const stored = await tx
    .select()
    .from(environmentVariables)
    .where(and(eq(deploymentId, ofDeployment), inArray(name, names)));
  const values = new Map(stored.map(row => [row.name, secrets.open(row.sealedValue, ownerOf(row))]));
  const changed = variables.filter(({ name: ofName, value }) => values.get(ofName) !== value);
  if (changed.length === 0) return;
  // Sort the variables, so that concurrent writes do not deadlock.
  const inOrder = [...changed].sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows = inOrder.map(variable => {
    const row = { deploymentId: ofDeployment, name: variable.name };
    return { ...row, sealedValue: secrets.seal(variable.value, ownerOf(row)) };
  });
  await tx
    .insert(environmentVariables)
    .values(rows)
    .onConflictDoUpdate({
      target: [deploymentId, name],
      set: { sealedValue: sql`excluded.sealed_value`, updatedAt: sql`now()` },
    });
  await notifyVariables(tx);
}

/** Deletes a variable, and notifies all platforms on the database. Returns false if it does not exist. */
export async function deleteVariable(tx: Db, ofDeployment: number, ofName: string): Promise<boolean> {
  const deleted = await tx
    .delete(environmentVariables)
    .where(and(eq(deploymentId, ofDeployment), eq(name, ofName)))
    .returning({ id });
  if (deleted.length > 0) await notifyVariables(tx);
  return deleted.length > 0;
}

/**
 * Returns the variables of the first deployment, which the platform serves. Skips values that no configured key
 * decrypts.
 */
export async function servedVariables(db: Db, secrets: SealedSecrets): Promise<ServedVariable[]> {
  const first = db.select({ id: sql`min(${deployments.id})` }).from(deployments);
  const rows = await db.select().from(environmentVariables).where(eq(deploymentId, first)).orderBy(name);
  return rows.flatMap(row => openRow(row, secrets));
}

/**
 * Returns the variables that the models of a deployment can use. Does not decrypt masked ones. Skips values that no
 * configured key decrypts.
 */
export async function modelVariables(db: Db, secrets: SealedSecrets, ofDeployment: number): Promise<ServedVariable[]> {
  const rows = await db.select().from(environmentVariables).where(eq(deploymentId, ofDeployment)).orderBy(name);
  return rows.filter(row => !isMaskedName(row.name)).flatMap(row => openRow(row, secrets));
}

function openRow(row: Row, secrets: SealedSecrets): ServedVariable[] {
  const value = secrets.open(row.sealedValue, ownerOf(row));
  const revision = createHash('sha256').update(row.sealedValue).digest('hex').slice(0, 16);
  return value === null ? [] : [{ name: row.name, value, revision }];
}

/**
 * Encrypts values of previous keys with the current key, so that the previous keys can be removed. Skips values that no
 * configured key decrypts; they must be set again.
 */
export async function resealVariables(db: Db, secrets: SealedSecrets): Promise<void> {
  for (const row of await db.select().from(environmentVariables)) {
    const value = secrets.isCurrent(row.sealedValue) ? null : secrets.open(row.sealedValue, ownerOf(row));
    if (value === null) continue;
    // If another platform that starts at the same time writes first, its result is valid too.
    await db
      .update(environmentVariables)
      .set({ sealedValue: secrets.seal(value, ownerOf(row)) })
      .where(and(eq(id, row.id), eq(environmentVariables.sealedValue, row.sealedValue)));
  }
}

/**
 * Returns the owner that a value is bound to. The value cannot be decrypted under another name or in another
 * deployment.
 */
function ownerOf(row: Pick<Row, 'deploymentId' | 'name'>): string {
  return `environment_variables:${row.deploymentId}:${row.name}`;
}
