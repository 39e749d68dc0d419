import { readFile } from 'node:fs/promises';

/** Returns the version of the package. */
export async function readPlatformVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
  return String(version);
}
