import { and, asc, count, eq } from 'drizzle-orm';
import type { SealedSecrets } from '../../auth/sealed-secrets.js';
import type { Db } from '../../db/database.js';
import { repositoryConnections, repositoryInstallations } from '../../db/schema.js';
import type { GitHost } from './git-host.js';

/** A stored git host. */
export type StoredInstallation = typeof repositoryInstallations.$inferSelect;

/** The fields of a git host that a request sets. */
export type InstallationContent = Pick<StoredInstallation, 'login' | 'url' | 'username' | 'hostKey' | 'repositories'>;

const { id } = repositoryInstallations;
const ownerOf = (ofId: number): string => `repository_installations:${ofId}`;

/** Lists the git hosts, oldest first. */
export async function listInstallations(db: Db): Promise<StoredInstallation[]> {
  return db.select().from(repositoryInstallations).orderBy(asc(id));
}

/** Returns the number of git hosts. */
export async function countInstallations(db: Db): Promise<number> {
  const [found] = await db.select({ total: count() }).from(repositoryInstallations);
  return found?.total ?? 0;
}

/** Returns a git host, or `null`. */
export async function findInstallation(db: Db, ofId: number): Promise<StoredInstallation | null> {
  const [found] = await db.select().from(repositoryInstallations).where(eq(id, ofId));
  return found ?? null;
}

/** Returns a git host, and locks it until the transaction ends. */
export async function lockInstallation(tx: Db, ofId: number): Promise<StoredInstallation | null> {
  const [found] = await tx.select().from(repositoryInstallations).where(eq(id, ofId)).for('update');
  return found ?? null;
}

/** Creates a git host. */
export async function insertInstallation(
  tx: Db,
  secrets: SealedSecrets,
  { secret, ...content }: InstallationContent & { readonly secret: string },
): Promise<StoredInstallation> {
  const [created] = await tx
    .insert(repositoryInstallations)
    .values({ ...content, sealedSecret: '' })
    .returning({ id });
  if (!created) throw new Error('The new installation was not stored.');
  return changeInstallation(tx, secrets, created.id, { ...content, secret });
}

/** Replaces a git host; keeps its secret if `secret` is `null`. */
export async function changeInstallation(
  tx: Db,
  secrets: SealedSecrets,
  ofId: number,
  { secret, ...content }: InstallationContent & { readonly secret: string | null },
): Promise<StoredInstallation> {
  const sealed = secret === null ? {} : { sealedSecret: secrets.seal(secret, ownerOf(ofId)) };
  const [changed] = await tx
    .update(repositoryInstallations)
    .set({ ...content, ...sealed })
    .where(eq(id, ofId))
    .returning();
  if (!changed) throw new Error('The installation no longer exists.');
  return changed;
}

/** Returns whether any deployment is connected to a repository of a git host. */
export async function hasConnections(tx: Db, ofId: number): Promise<boolean> {
  const { deploymentId, installationId } = repositoryConnections;
  const found = await tx.select({ deploymentId }).from(repositoryConnections).where(eq(installationId, ofId)).limit(1);
  return found.length > 0;
}

/** Deletes a git host with its secret. */
export async function deleteInstallation(tx: Db, ofId: number): Promise<void> {
  await tx.delete(repositoryInstallations).where(eq(id, ofId));
}

/** Returns the address and the credentials of a git host; `null` if no configured key decrypts its secret. */
export function hostOf(secrets: SealedSecrets, installation: StoredInstallation): GitHost | null {
  const { url, username, hostKey, sealedSecret } = installation;
  const secret = secrets.open(sealedSecret, ownerOf(installation.id));
  return secret === null ? null : { url, username, hostKey, secret };
}

/** Encrypts secrets of previous keys with the current one, except those that another request has changed. */
export async function resealInstallations(db: Db, secrets: SealedSecrets): Promise<void> {
  for (const { id: ofId, sealedSecret } of await listInstallations(db)) {
    const secret = secrets.isCurrent(sealedSecret) ? null : secrets.open(sealedSecret, ownerOf(ofId));
    if (secret === null) continue;
    await db
      .update(repositoryInstallations)
      .set({ sealedSecret: secrets.seal(secret, ownerOf(ofId)) })
      .where(and(eq(id, ofId), eq(repositoryInstallations.sealedSecret, sealedSecret)));
  }
}
