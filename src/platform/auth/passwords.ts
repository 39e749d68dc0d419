import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** Cost of new hashes: 32 MB and about 150 ms (OWASP password storage: N = 2^15, r = 8, p = 3). */
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;
const hashBytes = 32;
const saltBytes = 16;
const shape = /^scrypt\$(\d{1,8})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

/** Hash to verify if the user has none, so that the response takes the same time. No password has this hash. */
const noHash = formatHash(cost, Buffer.alloc(saltBytes), Buffer.alloc(hashBytes));

type Cost = Readonly<Record<'N' | 'r' | 'p', number>>;

/**
 * Hashes a password with a new salt. The result contains the parameters, so that the parameters of new hashes can
 * change.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return formatHash(cost, salt, await derive(password, salt, cost));
}

/**
 * Checks a password in constant time.
 * @param stored - hash of the user; `null` if there is none. The check then takes the same time and fails.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = shape.exec(stored ?? noHash) ?? [];
  const expected = Buffer.from(hash, 'base64url');
  if (expected.length !== hashBytes) throw new Error('A stored password hash is malformed.');
  const parameters = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), parameters);
  return timingSafeEqual(actual, expected) && stored !== null;
}

/**
 * Derives a key from a password. Normalizes the password, because keyboards send different Unicode sequences for the
 * same text.
 */
function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function formatHash({ N, r, p }: Cost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}
