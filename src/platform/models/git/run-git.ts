import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LoggableError, PlatformError } from '../../errors.js';
import { TaskQueue } from '../../runtime/task-queue.js';
import type { GitCommand, GitReply } from './git-process.js';

/** Null object id in git commands. */
export const noObject = '0'.repeat(40);

/** The output of a git command is larger than its limit. */
export class OutputLimitError extends LoggableError {}

/** Input and environment of a git command. */
export interface GitOptions {
  /** Text for the standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes other than 0 that are results. */
  readonly codes?: readonly number[];
  /** Maximum size of the output in bytes (default: 64 MiB). */
  readonly maxOutputBytes?: number;
  /** Time after which the command is stopped (default: 20,000). */
  readonly timeoutMs?: number;
}

/** Result of a git command. */
export interface GitResult {
  readonly code: number;
  readonly output: Buffer;
}

const defaultTimeoutMs = 20_000;
const defaultOutputBytes = 64 * 1024 * 1024;

/** Limits the processes of all repositories together. */
const processes = new TaskQueue({
  concurrency: 9,
  queueLimit: 8_000,
  rejection: () => new PlatformError(503, 'Too many model changes are in progress. Try again in a moment.'),
});

/** Options that keep repositories free of code and configuration from elsewhere. */
export const hardenedOptions: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.logAllRefUpdates=false',
  'protocol.allow=never',
  'gc.auto=0',
  // Packs of single writes would not be collected.
  'fastimport.unpackLimit=100000',
  'maintenance.auto=false',
].flatMap(option => ['-c', option]);

/**
 * Runs the git binary on a bare repository, without a shell, without configuration of the system or the user, and
 * without any variable of the platform's environment except `PATH`.
 * @throws LoggableError if git cannot run or fails; OutputLimitError if its output is too large.
 */
export async function runGit(
  directory: string,
  args: readonly string[],
  { codes = [], ...options }: GitOptions = {},
): Promise<GitResult> {
  const result = await processes.run('git', () => start(directory, args, options), new AbortController().signal);
  if (result.code === 0 || codes.includes(result.code)) return result;
  throw new LoggableError(`git ${args[0]} failed with exit code ${result.code}.`);
}

const requiredVersion = [2, 39] as const;

/** Checks the installed git. Returns what to do if it is missing or too old; otherwise `null`. */
export async function findGitProblem(): Promise<string | null> {
  const [major, minor] = requiredVersion;
  const fix = `Deployments with a repository require git ${major}.${minor} or later. Install it, and restart the platform.`;
  // Without git, the process cannot start.
  const output = await runGit('.', ['--version']).then(
    result => result.output.toString(),
    () => null,
  );
  if (output === null) return `Could not run git. ${fix}`;
  const [, first = '', second = ''] = /^git version (\d+)\.(\d+)/.exec(output) ?? [];
  const isNewEnough = Number(first) > major || (Number(first) === major && Number(second) >= minor);
  return isNewEnough ? null : `Found ${output.trim().slice(0, 60)}. ${fix}`;
}

/** Returns the environment of a git process. It contains no variable of the platform except `PATH`. */
export function environmentOf(directory: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

async function start(
  directory: string,
  args: readonly string[],
  { input = '', env = {}, maxOutputBytes = defaultOutputBytes, timeoutMs = defaultTimeoutMs }: GitOptions,
): Promise<GitResult> {
  const reply = await gitProcess.run({
    args: [...hardenedOptions, `--git-dir=${directory}`, ...args],
    input,
    env: { ...environmentOf(directory), ...env },
    maxOutputBytes,
    timeoutMs,
  });
  if (!('problem' in reply)) return reply;
  if (reply.problem === 'not found') throw new LoggableError('Could not run git. Install git 2.39 or later.');
  throw new OutputLimitError(`The output of git ${args[0]} is too large.`);
}

interface PendingCommand {
  readonly resolve: (reply: GitReply) => void;
  readonly reject: (error: Error) => void;
}

/** The process that starts git commands. Starts with the first command, and again if it has ended. */
class GitProcess {
  #child: ChildProcess | null = null;
  readonly #pending = new Map<number, PendingCommand>();
  #lastId = 0;

  /** @throws LoggableError if the process ends before the command. */
  run(command: Omit<GitCommand, 'id'>): Promise<GitReply> {
    this.#child ??= this.#start();
    const child = this.#child;
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      // Keeps the platform's process running only while a command runs.
      child.channel?.ref();
      child.send({ id, ...command } satisfies GitCommand, error => {
        if (error) this.#end(child);
      });
    });
  }

  #start(): ChildProcess {
    // TypeScript files (tests, development) require a loader.
    const isSource = import.meta.url.endsWith('.ts');
    const file = new URL(isSource ? './git-process.ts' : './git-process.js', import.meta.url);
    const { PATH = '', HOME = '' } = process.env;
    const child = fork(fileURLToPath(file), {
      execArgv: isSource ? ['--import', 'tsx'] : [],
      env: { PATH, HOME },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (reply: GitReply) => {
      this.#pending.get(reply.id)?.resolve(reply);
      this.#pending.delete(reply.id);
      if (this.#pending.size === 0) child.channel?.unref();
    });
    child.on('error', () => this.#end(child));
    child.on('exit', () => this.#end(child));
    child.unref();
    return child;
  }

  #end(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = null;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new LoggableError('The process that runs git ended. Try again.'));
  }
}

const gitProcess = new GitProcess();
