import { describe, expect, test } from 'vitest';
import { createSealedSecrets } from '../../../src/platform/auth/sealed-secrets.js';
import { secretsOf } from '../../../src/platform/auth/secrets.js';

const first = secretsOf('the first secret key');
const second = secretsOf('the second secret key');
const owner = 'environment_tokens:1:1';

describe('sealed secrets (GOVERNANCE, Tokens)', () => {
  test('open for the owner they were sealed for, with any content', () => {
    const secrets = createSealedSecrets(first);
    for (const secret of ['', 'a', 'ünï 🔐\n', 'x'.repeat(100_000)]) {
      expect(secrets.open(secrets.seal(secret, owner), owner)).toBe(secret);
    }
  });

  test('differ for equal secrets and reveal nothing about them', () => {
    const secrets = createSealedSecrets(first);
    const [a, b] = [secrets.seal('the secret', owner), secrets.seal('the secret', owner)];
    expect(a).not.toBe(b);
    expect(Buffer.from(a.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('the secret');
  });

  test('cannot be opened in another row', () => {
    const secrets = createSealedSecrets(first);
    expect(secrets.open(secrets.seal('x', owner), 'environment_tokens:2:1')).toBeNull();
  });

  test('cannot be opened with another key, under its own or a forged key id', () => {
    const sealed = createSealedSecrets(first).seal('x', owner);
    const other = createSealedSecrets(second);
    expect(other.open(sealed, owner)).toBeNull();
    const [, id = ''] = other.seal('y', owner).split('.');
    expect(other.open(sealed.replace(/\.[0-9a-f]{16}\./, `.${id}.`), owner)).toBeNull();
  });

  test('cannot be opened after any part is changed', () => {
    const secrets = createSealedSecrets(first);
    const sealed = secrets.seal('a secret', owner);
    const [version, id, body = ''] = sealed.split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(secrets.open(`${version}.${id}.${changed.toString('base64url')}`, owner)).toBeNull();
    }
    for (let length = 0; length < bytes.length; length++) {
      expect(secrets.open(`${version}.${id}.${bytes.subarray(0, length).toString('base64url')}`, owner)).toBeNull();
    }
  });

  test.each(['', 'v1', 'v1..', 'v2.0123456789abcdef.AAAA', 'plain text', 'v1.0123456789abcdef.!!'])(
    '%j is not a sealed secret',
    text => {
      const secrets = createSealedSecrets(first);
      expect(secrets.open(text, owner)).toBeNull();
      expect(secrets.isCurrent(text)).toBe(false);
    },
  );

  test('of an older key can be opened as long as that key is configured, and are resealed with the new key', () => {
    const sealed = createSealedSecrets(first).seal('x', owner);
    const rotating = createSealedSecrets(second, [secretsOf('one from long ago'), first]);
    expect(rotating.open(sealed, owner)).toBe('x');
    expect(rotating.isCurrent(sealed)).toBe(false);
    const anew = rotating.seal('x', owner);
    expect(rotating.isCurrent(anew)).toBe(true);
    expect(createSealedSecrets(second).open(anew, owner)).toBe('x');
    expect(createSealedSecrets(first).open(anew, owner)).toBeNull();
  });
});
