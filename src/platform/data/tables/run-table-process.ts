import { fork } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PlatformError } from '../../errors.js';
import { TaskQueue } from '../../runtime/task-queue.js';
import type { DescribedTable, TableReply, TableRequest } from './table-protocol.js';

/** Limits of one request. */
export interface TableProcessLimits {
  readonly timeoutMs?: number;
  /** Maximum size of the file that the process writes, in bytes. */
  readonly maxOutputBytes?: number;
  /** Maximum resident memory of the process, in bytes. Checked only on Linux. */
  readonly maxMemoryBytes?: number;
}

const defaults = { timeoutMs: 60_000, maxOutputBytes: 1_000_000_000, maxMemoryBytes: 1_500_000_000 } as const;
/** Interval at which the size of the output and the memory are checked, in milliseconds. */
const checkMs = 250;

/** Uploaded files that are read at the same time in this process. */
const requests = new TaskQueue({
  concurrency: 2,
  queueLimit: 20,
  rejection: () => new PlatformError(503, 'Too many files are being read. Try again in a moment.'),
});

/**
 * Reads an uploaded file in a separate process, which is killed if it exceeds a limit.
 * @param owner - caller whose requests run one after another if others wait.
 * @param name - name of the file, with which error messages begin.
 * @throws PlatformError 400 if the file cannot be read.
 */
export function runTableProcess(
  { owner, name, ...limits }: TableProcessLimits & { readonly owner: string; readonly name: string },
  request: TableRequest,
): Promise<DescribedTable> {
  const work = async () => {
    const reply = await runProcess(request, { ...defaults, ...limits });
    if ('table' in reply) return reply.table;
    throw new PlatformError(400, `${name} ${reply.problem ?? 'cannot be read, because it is damaged or too large'}.`);
  };
  return requests.run(owner, work, new AbortController().signal);
}

function runProcess(
  request: TableRequest,
  { timeoutMs, maxOutputBytes, maxMemoryBytes }: Required<TableProcessLimits>,
): Promise<TableReply> {
  return new Promise(resolve => {
    const child = startProcess();
    let problem: string | null = null;
    const stop = (reason: string) => {
      problem ??= reason;
      child.kill('SIGKILL');
    };
    const timeout = setTimeout(() => stop(`takes more than ${timeoutMs / 1000} s to read: split it`), timeoutMs);
    const checkSize = async () => {
      // The file does not exist yet while the input is being read.
      const size = (await stat(request.output).catch(() => null))?.size ?? 0;
      if (size > maxOutputBytes) stop('is too large when it is extracted: split it');
    };
    const checkMemory = async () => {
      if ((await memoryOf(child.pid)) > maxMemoryBytes) stop('needs too much memory: split it');
    };
    const check = setInterval(() => {
      void checkSize();
      void checkMemory();
    }, checkMs);
    let reply: TableReply | null = null;
    child.on('message', (message: TableReply) => {
      reply ??= message;
    });
    const end = async () => {
      clearTimeout(timeout);
      clearInterval(check);
      // A fast process can write its whole file between two checks.
      await checkSize();
      resolve(problem === null && reply !== null ? reply : { problem });
    };
    child.on('error', () => void end());
    child.on('close', () => void end());
    child.send(request, () => undefined);
  });
}

/** Size of a memory page in bytes. Some ARM systems have larger pages, on which the limit is higher. */
const pageBytes = 4096;

/** Returns the resident memory of a process in bytes; 0 if it has ended, or if the system is not Linux. */
async function memoryOf(pid: number | undefined): Promise<number> {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  // The process may have ended.
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return (Number(text.split(' ')[1]) || 0) * pageBytes;
}

function startProcess() {
  // TypeScript files (tests, development) require a loader.
  const isSource = import.meta.url.endsWith('.ts');
  const file = new URL(isSource ? './table-process.ts' : './table-process.js', import.meta.url);
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return fork(fileURLToPath(file), {
    execArgv: ['--max-old-space-size=768', ...(isSource ? ['--import', 'tsx'] : [])],
    env: { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
