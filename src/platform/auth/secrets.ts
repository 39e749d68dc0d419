import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Derives a separate key for each purpose. A derived key reveals nothing about the others. */
export interface Secrets {
  /** Returns 32 bytes, always the same for the same secret key and purpose. */
  derive(purpose: string): Uint8Array;
}

/** The admin's API key and the file that stores it. */
export interface AdminKey {
  readonly key: string;
  /** File that contains the key, safe to print; `null` if the key was passed in. */
  readonly path: string | null;
}

const minSecretKeyLength = 16;
const minAdminKeyLength = 8;

/** Derives secrets from a secret key (HKDF-SHA256). */
export function secretsOf(secretKey: string): Secrets {
  return {
    derive: purpose => new Uint8Array(hkdfSync('sha256', secretKey, '', `pa-embed ${purpose}`, 32)),
  };
}

/**
 * Reads the secret key from `PA_SECRET_KEY`, or from `<data>/secret-key`, which is created with mode 0600 if it is
 * missing. Without a data folder, the key is random and exists only until the process ends, like the temporary
 * database.
 * @throws Error if the given key is too short.
 */
export async function openSecrets(given: string | undefined, dataDirectory: string | undefined): Promise<Secrets> {
  if (given !== undefined) return secretsOf(readSecret('PA_SECRET_KEY', given, minSecretKeyLength));
  if (dataDirectory === undefined) return secretsOf(randomBytes(32).toString('hex'));
  return secretsOf(await readOrCreate(join(dataDirectory, 'secret-key'), () => randomBytes(32).toString('hex')));
}

/**
 * Reads the previous secret keys. They are used only to decrypt existing data and to verify existing tokens.
 * @throws Error if a key is too short.
 */
export function readPreviousSecrets(given: readonly string[]): Secrets[] {
  return given.map(key => secretsOf(readSecret('PA_SECRET_KEY_PREVIOUS', key, minSecretKeyLength)));
}

/**
 * Reads the admin's API key from `PA_ADMIN_KEY`, or from `<folder>/admin-key`, which is created with mode 0600 if it is
 * missing.
 * @throws Error if the configured key is too short, or if neither a key nor a folder is configured.
 */
export async function openAdminKey(given: string | undefined, folder: string | undefined): Promise<AdminKey> {
  if (given !== undefined) return { key: readSecret('PA_ADMIN_KEY', given, minAdminKeyLength), path: null };
  if (folder === undefined) {
    throw new Error('Set PA_ADMIN_KEY, or pass a data folder (--data) in which the admin key is stored.');
  }
  const path = join(folder, 'admin-key');
  return { key: await readOrCreate(path, () => `pa_${randomBytes(32).toString('base64url')}`), path };
}

/**
 * Returns the SHA-256 of an API key. Keys are stored and looked up by this hash, so that comparison times reveal
 * nothing about a key.
 */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Validates a configured secret.
 * @param name - name of the variable, for the error message.
 * @param minLength - minimum number of characters.
 * @throws Error whose message does not contain the secret.
 */
export function readSecret(name: string, value: string, minLength: number): string {
  const key = value.trim();
  if (key.length >= minLength && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new Error(`${name} must be at least ${minLength} visible ASCII characters without spaces.`);
}

/**
 * Reads a secret from a file, or creates it. Safe for concurrent starts on one folder, because the file is linked
 * atomically and all processes use the file that was linked first.
 */
async function readOrCreate(path: string, create: () => string): Promise<string> {
  // Ignores the error, because the last line of this function reads the file again and reports why it is not readable.
  const found = await readFile(path, 'utf8').catch(() => null);
  if (found !== null) return notEmpty(path, found);
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${create()}\n`, { mode: 0o600, flag: 'wx' });
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
    throw new Error(`${path} does not contain a key. Remove the file; the next start creates a new key.`);
  return key;
}
