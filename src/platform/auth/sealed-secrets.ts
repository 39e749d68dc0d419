import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Secrets } from './secrets.js';

/**
 * Keeps secrets in the store that have to be read again, encrypted with AES-256-GCM. Each is sealed for its owner, the row that it stands
 * in: moved to another one it doesn't open. What an older key sealed opens as long as that key is given.
 */
export interface SealedSecrets {
  /** @param owner - names table and row: `environment_tokens:7`. */
  seal(secret: string, owner: string): string;
  /** The secret; null of a text that was not sealed for this owner by a key that is known, or was changed since. */
  open(sealed: string, owner: string): string | null;
  /** False of what should be sealed anew: an older key did it. */
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
 * Seals with a key that derives from the secret key.
 * @param previous - secrets of the keys before it, which open what they sealed.
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
        // What GCM says of a text that is not authentic; it has nothing more to say.
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

/** Additional data: what is authenticated beside the secret. */
function ownedBy(keyId: string, owner: string): Buffer {
  return Buffer.from(`${version}.${keyId}.${owner}`, 'utf8');
}
