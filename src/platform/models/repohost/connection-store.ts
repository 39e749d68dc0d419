import { and, eq, lte, sql } from 'drizzle-orm';
import type { ConnectRepository } from '../../../contract/repository.js';
import type { SealedSecrets } from '../../auth/sealed-secrets.js';
import type { Db } from '../../db/database.js';
import { repositoryConnections, repositoryInstallations, type WebhookPullResult } from '../../db/schema.js';
import type { StoredInstallation } from './installation-store.js';

/** The repository that a deployment is connected to. */
export interface StoredConnection {
  readonly deploymentId: number;
  readonly installation: StoredInstallation;
  /** Name of the repository, such as `acme/model`. */
  readonly name: string;
  /** Branch of the repository that the deploy branch exchanges commits with. */
  readonly deployBranchName: string;
  readonly connectedAt: Date;
  readonly sealedWebhookSecret: string | null;
  readonly lastWebhookPull: WebhookPullResult | null;
}

const { deploymentId: key, connection, installationId } = repositoryConnections;
const ownerOf = (deploymentId: number): string => `repository_connections:${deploymentId}`;

/** Returns the connection of a deployment, or `null`. Connections of earlier versions have no installation. */
export async function findConnection(db: Db, deploymentId: number): Promise<StoredConnection | null> {
  const [found] = await db
    .select({ stored: repositoryConnections, installation: repositoryInstallations })
    .from(repositoryConnections)
    .innerJoin(repositoryInstallations, eq(installationId, repositoryInstallations.id))
    .where(eq(key, deploymentId));
  if (!found) return null;
  const { stored, installation } = found;
  const { name, deployBranchName } = stored.connection;
  return { ...stored, installation, name: String(name), deployBranchName: String(deployBranchName) };
}

/** Connects a deployment to a repository. Replaces an existing connection, with its webhook. */
export async function storeConnection(
  tx: Db,
  deploymentId: number,
  body: ConnectRepository & { readonly deployBranchName: string },
  connectedBy: number,
): Promise<void> {
  const values = {
    connection: body,
    installationId: body.installationId,
    connectedBy,
    connectedAt: sql`now()`,
    sealedWebhookSecret: null,
    lastWebhookPull: null,
  };
  await tx
    .insert(repositoryConnections)
    .values({ deploymentId, ...values })
    .onConflictDoUpdate({
      target: key,
      set: values,
      // Skips the write if the connection is unchanged. Compares text, because Postgres cannot compare `json` values.
      setWhere: sql`${connection}::text is distinct from excluded.connection::text
        or ${installationId} is distinct from excluded.installation_id`,
    });
}

/** Deletes a connection with its webhook. Returns false if there is none. */
export async function deleteConnection(tx: Db, deploymentId: number): Promise<boolean> {
  const deleted = await tx.delete(repositoryConnections).where(eq(key, deploymentId)).returning({ key });
  return deleted.length > 0;
}

/** Sets the secret of the webhook. Returns false if the deployment is not connected. */
export async function setWebhookSecret(
  tx: Db,
  secrets: SealedSecrets,
  deploymentId: number,
  secret: string,
): Promise<boolean> {
  const changed = await tx
    .update(repositoryConnections)
    .set({ sealedWebhookSecret: secrets.seal(secret, ownerOf(deploymentId)) })
    .where(eq(key, deploymentId))
    .returning({ key });
  return changed.length > 0;
}

/** Returns the secret of the webhook; `null` if there is none, or no configured key decrypts it. */
export function webhookSecretOf(
  secrets: SealedSecrets,
  { deploymentId, sealedWebhookSecret }: StoredConnection,
): string | null {
  return sealedWebhookSecret === null ? null : secrets.open(sealedWebhookSecret, ownerOf(deploymentId));
}

/** Stores the result of a pull that a webhook started, unless the deployment was connected again since then. */
export async function recordWebhookPull(
  db: Db,
  deploymentId: number,
  { startedAt, ...result }: WebhookPullResult & { readonly startedAt: Date },
): Promise<void> {
  const isSame = and(eq(key, deploymentId), lte(repositoryConnections.connectedAt, startedAt));
  await db.update(repositoryConnections).set({ lastWebhookPull: result }).where(isSame);
}

/** Encrypts the secrets of webhooks of previous keys with the current one, except those that have changed. */
export async function resealWebhookSecrets(db: Db, secrets: SealedSecrets): Promise<void> {
  for (const { deploymentId, sealedWebhookSecret } of await db.select().from(repositoryConnections)) {
    if (sealedWebhookSecret === null || secrets.isCurrent(sealedWebhookSecret)) continue;
    const secret = secrets.open(sealedWebhookSecret, ownerOf(deploymentId));
    if (secret === null) continue;
    await db
      .update(repositoryConnections)
      .set({ sealedWebhookSecret: secrets.seal(secret, ownerOf(deploymentId)) })
      .where(and(eq(key, deploymentId), eq(repositoryConnections.sealedWebhookSecret, sealedWebhookSecret)));
  }
}
