import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const maxDepth = 8;

/**
 * Paths of the `.yml` and `.yaml` files below a folder, sorted. What begins with a dot is passed over: editors and version
 * control keep their own there. Links to files count as files, as mounted configuration is made of them.
 */
export async function listModelFiles(directory: string): Promise<string[]> {
  return (await list(directory, '', 0)).sort();
}

async function list(directory: string, below: string, depth: number): Promise<string[]> {
  if (depth > maxDepth) return [];
  const found: string[] = [];
  for (const entry of await readdir(join(directory, below), { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await list(directory, name, depth + 1)));
    else if ((entry.isFile() || entry.isSymbolicLink()) && /\.ya?ml$/.test(entry.name)) found.push(name);
  }
  return found;
}

/** Text that changes whenever a file of the model may have: no file is opened for it. A folder that can't be read has one too. */
export async function stateOfFolder(directory: string): Promise<string> {
  const names = await listModelFiles(directory).catch(() => null);
  if (names === null) return 'unreadable';
  const states = await Promise.all(names.map(name => stateOfFile(join(directory, name))));
  return createHash('sha256')
    .update(JSON.stringify([names, states]))
    .digest('hex');
}

/** The time of change tells of a file that was replaced by one of the same size and time. */
async function stateOfFile(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? 'gone' : [found.size, found.mtimeNs, found.ctimeNs, found.ino].join();
}
