import { randomBytes } from 'node:crypto';
import { desc, eq, lte, sql } from 'drizzle-orm';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { accounts, signingKeys } from '../db/schema.js';
import type { SealedSecrets } from './sealed-secrets.js';

/** Algorithm of tokens for other services, which all cloud providers accept. */
export const signingAlgorithm = 'RS256';
/** Time between publishing a key and signing with it. Longer than services cache the keys (`cache-control`). */
const publishAhead = sql`interval '10 minutes'`;
/** Time for which a key stays published after another one signs. Tokens are valid for one hour. */
const publishAfter = sql`interval '25 hours'`;
const maxAge = sql`interval '90 days'`;

type Row = typeof signingKeys.$inferSelect;
/** A signing key and the time from which it is used. */
type SigningKey = Pick<Row, 'kid' | 'signsFrom'>;

const ownerOf = (kid: string): string => `signing_keys:${kid}`;

/** Signs a token with the current key, and creates the first key if there is none. Returns the id of the key too. */
export async function signIssuedToken(
  db: Db,
  secrets: SealedSecrets,
  payload: JWTPayload,
): Promise<{ readonly token: string; readonly kid: string }> {
  const { kid, jwk } = await currentKey(db, secrets);
  const header = { alg: signingAlgorithm, kid, typ: 'JWT' };
  const token = await new SignJWT(payload).setProtectedHeader(header).sign(await importJWK(jwk, signingAlgorithm));
  return { token, kid };
}

/** Returns the public keys: the one that signs, later ones, and those whose tokens may still be valid. */
export async function publishedKeys(db: Db): Promise<JsonObject[]> {
  const rows = await db
    .select({ publicJwk: signingKeys.publicJwk })
    .from(signingKeys)
    .where(sql`not ${isOutdated}`)
    .orderBy(desc(signingKeys.signsFrom));
  return rows.map(({ publicJwk }) => publicJwk);
}

/**
 * Creates the next key, which signs 10 minutes later. Returns the key that was created before if it does not sign yet,
 * so that repeated requests do not create more keys.
 */
export async function rotateSigningKey(tx: Db, secrets: SealedSecrets): Promise<SigningKey> {
  await lockKeys(tx);
  const [newest] = await tx
    .select({
      kid: signingKeys.kid,
      signsFrom: signingKeys.signsFrom,
      isNext: sql<boolean>`${signingKeys.signsFrom} > now()`,
    })
    .from(signingKeys)
    .orderBy(desc(signingKeys.signsFrom))
    .limit(1);
  if (newest?.isNext) return newest;
  return insertKey(tx, secrets, { isFirst: newest === undefined });
}

/**
 * Deletes all keys, for example after one was disclosed, and creates one that signs immediately. Services reject the
 * tokens of the deleted keys as soon as they read the public keys again.
 */
export async function retireSigningKeys(tx: Db, secrets: SealedSecrets): Promise<SigningKey> {
  await lockKeys(tx);
  await tx.delete(signingKeys);
  return insertKey(tx, secrets, { isFirst: true });
}

/** Replaces keys that have signed for 90 days, and deletes keys whose tokens have expired. */
export async function maintainSigningKeys(db: Db, secrets: SealedSecrets): Promise<void> {
  await db.transaction(async tx => {
    const [old] = await tx
      .select({ isOld: sql<boolean>`max(${signingKeys.signsFrom}) < now() - ${maxAge}` })
      .from(signingKeys);
    if (old?.isOld) await rotateSigningKey(tx, secrets);
    await tx.delete(signingKeys).where(isOutdated);
  });
}

/** Re-encrypts signing keys that a previous secret key encrypted, so that the previous secret keys can be removed. */
export async function resealSigningKeys(db: Db, secrets: SealedSecrets): Promise<void> {
  for (const { kid, sealedJwk } of await db.select().from(signingKeys)) {
    const opened = secrets.isCurrent(sealedJwk) ? null : secrets.open(sealedJwk, ownerOf(kid));
    if (opened === null) continue;
    await db
      .update(signingKeys)
      .set({ sealedJwk: secrets.seal(opened, ownerOf(kid)) })
      .where(eq(signingKeys.kid, kid));
  }
}

/** SQL condition: another key has been in use for so long that all tokens of this key have expired. */
const isOutdated = sql`exists (select from signing_keys later where later.signs_from > signing_keys.signs_from
  and later.signs_from < now() - ${publishAfter})`;

async function currentKey(db: Db, secrets: SealedSecrets): Promise<{ readonly kid: string; readonly jwk: JWK }> {
  return (
    (await findKey(db, secrets)) ??
    db.transaction(async tx => {
      await lockKeys(tx);
      const found = await findKey(tx, secrets);
      if (found) return found;
      await insertKey(tx, secrets, { isFirst: true });
      const created = await findKey(tx, secrets);
      if (!created) throw new Error('A signing key was not stored.');
      return created;
    })
  );
}

/** Returns the newest key that signs and that a configured secret key decrypts. */
async function findKey(db: Db, secrets: SealedSecrets) {
  const rows = await db
    .select({ kid: signingKeys.kid, sealedJwk: signingKeys.sealedJwk })
    .from(signingKeys)
    .where(lte(signingKeys.signsFrom, sql`now()`))
    .orderBy(desc(signingKeys.signsFrom))
    .limit(1);
  const [newest] = rows;
  const text = newest ? secrets.open(newest.sealedJwk, ownerOf(newest.kid)) : null;
  return newest && text !== null ? { kid: newest.kid, jwk: JSON.parse(text) as JWK } : null;
}

/** Serializes the creation of keys until the transaction ends. */
async function lockKeys(tx: Db): Promise<void> {
  await tx.select({ id: accounts.id }).from(accounts).for('update');
}

async function insertKey(
  tx: Db,
  secrets: SealedSecrets,
  { isFirst }: { readonly isFirst: boolean },
): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(signingAlgorithm, { modulusLength: 2048, extractable: true });
  const kid = randomBytes(12).toString('hex');
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: signingAlgorithm, use: 'sig' };
  const sealedJwk = secrets.seal(JSON.stringify(await exportJWK(privateKey)), ownerOf(kid));
  // No service has cached the key set before the first key is published. The column rounds times up.
  const signsFrom = isFirst ? sql`now() - interval '1 second'` : sql`now() + ${publishAhead}`;
  const [key] = await tx
    .insert(signingKeys)
    .values({ kid, publicJwk, sealedJwk, signsFrom })
    .returning({ kid: signingKeys.kid, signsFrom: signingKeys.signsFrom });
  if (!key) throw new Error('A signing key was not stored.');
  return key;
}
