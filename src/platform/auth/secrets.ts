import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Derives an own key for every purpose, so that none of them tells anything about another. */
export interface Secrets {
  /** 32 bytes; the same for the same secret key and purpose. */
  derive(purpose: string): Uint8Array;
}

/** An API key of the admin, and where it is kept. */
export interface AdminKey {
  readonly key: string;
  /** The file it was written to, the only thing about it that may be printed; `null` when it was given. */
  readonly path: string | null;
}

const minSecretKeyLength = 16;
const minAdminKeyLength = 8;

/** Secrets that derive (HKDF-SHA256) from a secret key. */
export function secretsOf(secretKey: string): Secrets {
  return {
    derive: purpose => new Uint8Array(hkdfSync('sha256', secretKey, '', `pa-embed ${purpose}`, 32)),
  };
}

/**
 * The secret key: the one given (`PA_SECRET_KEY`), else that of `<data>/secret-key`, made (0600) when it isn't there; without a
 * data folder a random one, which ends with the process as the throw-away database does.
 * @throws Error in one sentence when the given one is too short.
 */
export async function openSecrets(given: string | undefined, dataDirectory: string | undefined): Promise<Secrets> {
  if (given !== undefined) return secretsOf(readSecret('PA_SECRET_KEY', given, minSecretKeyLength));
  if (dataDirectory === undefined) return secretsOf(randomBytes(32).toString('hex'));
  return secretsOf(await readOrMake(join(dataDirectory, 'secret-key'), () => randomBytes(32).toString('hex')));
}

/**
 * The secrets of keys that came before: they open and verify what was made with them, and make nothing.
 * @throws Error in one sentence when one is too short.
 */
export function readPreviousSecrets(given: readonly string[]): Secrets[] {
  return given.map(key => secretsOf(readSecret('PA_SECRET_KEY_PREVIOUS', key, minSecretKeyLength)));
}

/**
 * The admin's API key: the one given (`PA_ADMIN_KEY`), else that of `<folder>/admin-key`, made (0600) when it isn't there.
 * @throws Error in one sentence when the given one is too short, or nothing is given.
 */
export async function openAdminKey(given: string | undefined, folder: string | undefined): Promise<AdminKey> {
  if (given !== undefined) return { key: readSecret('PA_ADMIN_KEY', given, minAdminKeyLength), path: null };
  if (folder === undefined) {
    throw new Error('Set PA_ADMIN_KEY, or give a data folder (--data), where a key for the admin is kept.');
  }
  const path = join(folder, 'admin-key');
  return { key: await readOrMake(path, () => `pa_${randomBytes(32).toString('base64url')}`), path };
}

/** What is stored of an API key and looked up by: its SHA-256, so that no comparison's time tells anything about the key. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Reads a secret that was given.
 * @param name - of the variable that it stands in.
 * @throws Error in one sentence, without the secret.
 */
export function readSecret(name: string, value: string, shortest: number): string {
  const key = value.trim();
  if (key.length >= shortest && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new Error(`${name} must be at least ${shortest} visible ASCII characters without spaces.`);
}

/** Two platforms that start at once on one folder end up with one key: the file appears whole, and whoever links it first wins. */
async function readOrMake(path: string, make: () => string): Promise<string> {
  const found = await readFile(path, 'utf8').catch(() => null);
  if (found !== null) return notEmpty(path, found);
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${make()}\n`, { mode: 0o600, flag: 'wx' });
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return notEmpty(path, await readFile(path, 'utf8'));
}

function notEmpty(path: string, text: string): string {
  const key = text.trim();
  if (key.length < minSecretKeyLength)
    throw new Error(`${path} holds no key: remove it, and the next start makes a new one.`);
  return key;
}
