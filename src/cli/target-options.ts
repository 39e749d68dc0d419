import { readFile } from 'node:fs/promises';
import { serviceUrl } from '../client/http/address.js';
import { readNumber, UsageError } from './command.js';

/** Which platform a command speaks to, and as whom. */
export interface TargetOptions {
  readonly url: string;
  /** Null where the platform has one alone. */
  readonly deploymentId: number | null;
  /** File with the key; null where the environment holds it. */
  readonly keyFile: string | null;
}

/** Flags of every command that speaks to a platform. */
export const targetFlags = {
  url: { type: 'string', default: 'http://127.0.0.1:4100' },
  deployment: { type: 'string' },
  'key-file': { type: 'string' },
} as const;

/** The part of a help text that tells of them. */
export const targetHelp = `  --url URL        address of the platform (http://127.0.0.1:4100); HTTPS, or HTTP on loopback
  --deployment ID  which deployment; without it, the only one there is
  --key-file FILE  file with the API key of an admin, in place of PA_ADMIN_KEY: a key is never an argument`;

/** Reads the flags of `targetFlags`. */
export function readTarget(flags: {
  readonly url: string;
  readonly deployment?: string | undefined;
  readonly 'key-file'?: string | undefined;
}): TargetOptions {
  const { url, deployment, 'key-file': keyFile = null } = flags;
  try {
    serviceUrl(url, '/');
  } catch {
    throw new UsageError('--url must be the address of a platform: HTTPS, or HTTP on loopback.');
  }
  const deploymentId =
    deployment === undefined ? null : readNumber('deployment', deployment, 1, Number.MAX_SAFE_INTEGER);
  return { url, deploymentId, keyFile };
}

/**
 * The API key that a command speaks with: that of a file, else that of the environment. It is never an argument, which every process of
 * the machine could read.
 * @throws UsageError where there is none.
 */
export async function readKey(
  keyFile: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const key = keyFile === null ? environment.PA_ADMIN_KEY : await readKeyFile(keyFile);
  if (key) return key;
  throw new UsageError('Set PA_ADMIN_KEY to the API key of an admin, or name a file with it: --key-file FILE.');
}

async function readKeyFile(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`The file ${file} can not be read.`, { cause });
  });
  return text.trim();
}
