import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the prefix of folder names. It includes the host name, because containers that share a temporary folder may
 * use the same process IDs.
 */
function prefix(kind: string): string {
  return `pa-${kind}-${createHash('sha256').update(hostname()).digest('hex').slice(0, 16)}-`;
}

/**
 * Creates a temporary folder for this process, which only its user can read. Removes the folders of killed processes.
 * @param kind - part of the name of the folder, such as `ssh`.
 */
export async function makeProcessFolder(kind: string): Promise<string> {
  await removeAbandonedFolders(kind);
  return mkdtemp(join(tmpdir(), `${prefix(kind)}${process.pid}-`));
}

/** Removes the temporary folders of processes that were killed. */
export async function removeAbandonedFolders(kind: string): Promise<void> {
  const start = prefix(kind);
  // If the folder is not readable, `mkdtemp` reports the error.
  const names = (await readdir(tmpdir()).catch(() => [])).filter(name => name.startsWith(start));
  for (const name of names) {
    const path = join(tmpdir(), name);
    const owner = Number.parseInt(name.slice(start.length), 10);
    // Ignore folders of other users that can't be removed.
    if (await isAbandoned(owner, path)) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isAbandoned(owner: number, path: string): Promise<boolean> {
  if (!Number.isSafeInteger(owner) || owner <= 0) return false;
  // Another process may have removed the folder.
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && hasEnded({ ...thisProcess(), pid: owner }, stats.mtimeMs);
}

/** A process on a machine or in a container. */
export interface ProcessId {
  readonly host: string;
  readonly pid: number;
}

/** Identifies this process among those that share a folder. */
export function thisProcess(): ProcessId {
  return { host: hostname(), pid: process.pid };
}

/**
 * Whether a process of this machine or container has ended. Returns false for processes of other machines, which cannot
 * be checked.
 * @param since - a time when the process was running, in milliseconds.
 */
export function hasEnded({ host, pid }: ProcessId, since: number): boolean {
  if (host !== hostname()) return false;
  if (pid !== process.pid) return !isAlive(pid);
  // A restarted container reuses process IDs.
  return since < Date.now() - process.uptime() * 1000 - 1000;
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
