import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Secrets } from './secrets.js';

/**
 * Encrypts secrets that the platform stores and must read later, with AES-256-GCM. Each secret is bound to its owner
 * (the row that contains it) and cannot be decrypted for another owner. Secrets that were encrypted with a previous key
 * can be decrypted while that key is configured.
 */
export interface SealedSecrets {
  /** @param owner - table and row of the secret, such as `environment_tokens:7`. */
  seal(secret: string, owner: string): string;
  /**
   * Decrypts a secret; returns `null` if it was modified, encrypted for another owner, or encrypted with an unknown
   * key.
   */
  open(sealed: string, owner: string): string | null;
  /** False if the secret was encrypted with a previous key and should be encrypted again. */
  isCurrent(sealed: string): boolean;
}

interface SealKey {
  readonly id: string;
  readonly key: Uint8Array;
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const version = 'v1';
const shape = /^v1\.([0-9a-f]{16})\.([\w-]+)$/;

/**
 * Creates sealed secrets whose key derives from the secret key.
 * @param previous - secrets of previous keys, used only to decrypt.
 */
export function createSealedSecrets(secrets: Secrets, previous: readonly Secrets[] = []): SealedSecrets {
  const current = sealKeyOf(secrets);
  const keys = new Map([...previous.map(sealKeyOf), current].map(({ id, key }) => [id, key]));
  return {
    seal(secret, owner) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, current.key, iv, { authTagLength: tagBytes });
      cipher.setAAD(ownedBy(current.id, owner));
      const parts = [iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${version}.${current.id}.${Buffer.concat(parts).toString('base64url')}`;
    },
    open(sealed, owner) {
      const [, id = '', body = ''] = shape.exec(sealed) ?? [];
      const key = keys.get(id);
      const bytes = Buffer.from(body, 'base64url');
      if (!key || bytes.length < ivBytes + tagBytes) return null;
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      decipher.setAAD(ownedBy(id, owner));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8');
      } catch {
        // Ignore the error, which only states that the ciphertext is not authentic.
        return null;
      }
    },
    isCurrent: sealed => shape.exec(sealed)?.[1] === current.id,
  };
}

function sealKeyOf(secrets: Secrets): SealKey {
  const id = Buffer.from(secrets.derive('sealed secrets kid')).toString('hex').slice(0, 16);
  return { id, key: secrets.derive('sealed secrets') };
}

/** Returns the additional authenticated data, which binds the ciphertext to its key and owner. */
function ownedBy(keyId: string, owner: string): Buffer {
  return Buffer.from(`${version}.${keyId}.${owner}`, 'utf8');
}
