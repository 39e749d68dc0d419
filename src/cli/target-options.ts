import { serviceUrl } from '../client/address.js';
import { readNumber } from './parse-flags.js';
import { UsageError } from './usage-error.js';

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
