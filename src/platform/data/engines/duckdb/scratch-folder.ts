import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { digest } from './sources.js';

/** Machines (containers) that share a folder for temporary files don't know each other's processes: each has names of its own. */
function prefix(): string {
  return `pa-duckdb-${digest([hostname()])}-`;
}

/** Makes a folder for temporary files of this process, and removes those that processes which were killed have left. */
export async function makeScratchFolder(): Promise<string> {
  await sweep();
  return mkdtemp(join(tmpdir(), `${prefix()}${process.pid}-`));
}

async function sweep(): Promise<void> {
  const start = prefix();
  const names = (await readdir(tmpdir()).catch(() => [])).filter(name => name.startsWith(start));
  for (const name of names) {
    const path = join(tmpdir(), name);
    const owner = Number.parseInt(name.slice(start.length), 10);
    // It may be someone else's to remove: theirs to keep, then.
    if (await isLeftBy(owner, path)) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isLeftBy(owner: number, path: string): Promise<boolean> {
  if (!Number.isSafeInteger(owner) || owner <= 0) return false;
  if (owner !== process.pid) return !isAlive(owner);
  // A container that was started again has the number that it had before.
  const startedAt = Date.now() - process.uptime() * 1000;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < startedAt - 1000;
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
