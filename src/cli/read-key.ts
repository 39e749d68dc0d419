import { readFile } from 'node:fs/promises';
import { UsageError } from './usage-error.js';

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
