import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { AttemptJournal } from '../../http/audit.js';
import { hasEnded, thisProcess } from '../../runtime/process-folder.js';
import { readIfExists } from '../uploads/files.js';
import { BranchRefs } from './branch-refs.js';
import type { Repositories } from './repositories.js';

/** Age in milliseconds after which the write of another machine has ended. */
const maxWriteMs = 10 * 60_000;

const Line = z.object({ operation: z.string(), host: z.string(), pid: z.number() });

/** An entry of the audit log whose write was interrupted. */
export interface InterruptedWrite {
  readonly entryId: number;
  readonly operation: string;
  /** Whether git has executed the transaction of the write. */
  readonly isWritten: boolean;
}

/**
 * The writes to the repository of a deployment that are in progress: a file per write. The transaction of git creates a
 * ref, so that the repair after a crash can determine whether it happened.
 */
export class WriteJournal implements AttemptJournal {
  readonly #folder: string;
  readonly #directory: string;
  readonly #operation: string;

  constructor(repositories: Repositories, deploymentId: number, operation = '') {
    this.#folder = join(repositories.folderOf(deploymentId), 'journal');
    this.#directory = repositories.repositoryOf(deploymentId);
    this.#operation = operation;
  }

  /** Returns the ref that the transaction of a write creates. */
  markerOf(entryId: number): string {
    return `refs/audit/${entryId}`;
  }

  /** Stores that a write begins. */
  async open(entryId: number): Promise<void> {
    await mkdir(this.#folder, { mode: 0o700 }).catch(error => {
      if (Object(error).code !== 'EEXIST') throw error;
    });
    const line: z.infer<typeof Line> = { operation: this.#operation, ...thisProcess() };
    await writeFile(join(this.#folder, String(entryId)), JSON.stringify(line));
  }

  /** Deletes the traces of a write. */
  async close(entryId: number): Promise<void> {
    // The ref last: without it, the repair would delete the entry of a write that happened.
    await rm(join(this.#folder, String(entryId)), { force: true });
    await rm(join(this.#directory, this.markerOf(entryId)), { force: true });
  }

  /** Returns the writes of processes that have ended. */
  async interrupted(): Promise<InterruptedWrite[]> {
    const refs = new BranchRefs(this.#directory);
    const found: InterruptedWrite[] = [];
    // The folder does not exist before the first write.
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      const entryId = Number(name);
      // Another process may close the write meanwhile.
      const [text, stats] = [await readIfExists(path), await stat(path).catch(() => null)];
      if (text === null || !stats || !Number.isSafeInteger(entryId)) continue;
      const line = readLine(text);
      const isOld = Date.now() - stats.mtimeMs > maxWriteMs;
      if (!isOld && !(line && hasEnded(line, stats.mtimeMs))) continue;
      const isWritten = (await refs.read(this.markerOf(entryId))) !== null;
      found.push({ entryId, operation: line?.operation ?? '', isWritten });
    }
    return found;
  }
}

/** Reads a file of the journal; `null` if a crash interrupted its creation. */
function readLine(text: string): z.infer<typeof Line> | null {
  try {
    return Line.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
