import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceUrl } from '../client/http/address.js';
import { readNumber, UsageError } from './command.js';

/** Platform, deployment and API key of a command. */
export interface TargetOptions {
  readonly url: string;
  /** `null` selects the only deployment of the platform. */
  readonly deploymentId: number | null;
  /** File with the key; `null` if the key comes from the environment. */
  readonly keyFile: string | null;
  /** Folder of the platform's data, which contains the generated key. */
  readonly dataDirectory?: string;
}

/** Flags of every command that connects to a platform. */
export const targetFlags = {
  url: { type: 'string', default: 'http://127.0.0.1:4100' },
  deployment: { type: 'string' },
  'key-file': { type: 'string' },
  data: { type: 'string' },
} as const;

/** Help text for `targetFlags`. */
export const targetHelp = `  --url URL        address of the platform (http://127.0.0.1:4100); HTTPS, or HTTP on loopback
  --deployment ID  id of the deployment; optional if there is only one
  --key-file FILE  file with the API key of an admin, instead of PA_ADMIN_KEY
  --data DIR       folder of the platform's data; its file admin-key is used if neither --key-file nor PA_ADMIN_KEY is set`;

const { url, 'key-file': keyFile, data } = targetFlags;
/** Flags of commands for the account, which need no deployment. */
export const accountFlags = {
  url,
  'key-file': keyFile,
  data,
  help: { type: 'boolean', default: false },
} as const;

/** Help text for `accountFlags`. */
export const accountHelp = `  --url URL        address of the platform (http://127.0.0.1:4100); HTTPS, or HTTP on loopback
  --key-file FILE  file with the API key of an admin, instead of PA_ADMIN_KEY
  --data DIR       folder of the platform's data; its file admin-key is used if neither --key-file nor PA_ADMIN_KEY is set
  --help           this text

Environment
  PA_ADMIN_KEY     API key of an admin`;

/** Reads the flags of `targetFlags`. */
export function readTarget(flags: {
  readonly url: string;
  readonly deployment?: string | undefined;
  readonly 'key-file'?: string | undefined;
  readonly data?: string | undefined;
}): TargetOptions {
  const { url, deployment, 'key-file': keyFile = null, data } = flags;
  try {
    serviceUrl(url, '/');
  } catch {
    throw new UsageError('--url must be the base URL of a platform: HTTPS, or HTTP on loopback.');
  }
  const deploymentId =
    deployment === undefined ? null : readNumber('deployment', deployment, 1, Number.MAX_SAFE_INTEGER);
  return { url, deploymentId, keyFile, ...(data !== undefined && { dataDirectory: data }) };
}

/**
 * Reads the API key from the key file, otherwise from the environment, otherwise from the data folder of the platform.
 * Keys are never arguments, because every process on the machine can read arguments.
 * @throws UsageError if no key is set.
 */
export async function readKey(
  { keyFile, dataDirectory }: Pick<TargetOptions, 'keyFile' | 'dataDirectory'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const key = keyFile === null ? environment.PA_ADMIN_KEY : await readKeyFile(keyFile);
  if (key) return key;
  if (keyFile === null && dataDirectory !== undefined) return readKeyFile(join(dataDirectory, 'admin-key'));
  throw new UsageError(
    'Missing API key: set PA_ADMIN_KEY, --key-file to a file that contains the API key of an admin, or --data to the folder of the platform.',
  );
}

async function readKeyFile(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`Could not read the key file ${file}. Check that it exists and is readable.`, { cause });
  });
  return text.trim();
}
