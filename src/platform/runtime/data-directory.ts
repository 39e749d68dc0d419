import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Creates the data folder, readable by its owner only, if it is missing. A new folder contains a `.gitignore` that
 * excludes it, so that its keys are not committed.
 */
export async function createDataDirectory(directory: string): Promise<void> {
  const created = await mkdir(directory, { recursive: true, mode: 0o700 });
  // An existing folder can contain other files, which must not be excluded.
  if (created !== undefined) await writeFile(join(directory, '.gitignore'), '*\n');
}
