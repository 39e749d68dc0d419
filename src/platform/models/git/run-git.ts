import { spawn } from 'node:child_process';
import { LoggableError, PlatformError } from '../../errors.js';
import { TaskQueue } from '../../runtime/task-queue.js';

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

function start(
  directory: string,
  args: readonly string[],
  { input = '', env = {}, maxOutputBytes = defaultOutputBytes, timeoutMs = defaultTimeoutMs }: GitOptions,
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...hardenedOptions, `--git-dir=${directory}`, ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: { ...environmentOf(directory), ...env },
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.on('error', () => reject(new LoggableError('Could not run git. Install git 2.39 or later.')));
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutputBytes) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.on('close', code => {
      if (size > maxOutputBytes) reject(new OutputLimitError(`The output of git ${args[0]} is too large.`));
      else resolve({ code: code ?? -1, output: Buffer.concat(chunks) });
    });
    // Ignore the error, because a process that ends without reading its input reports its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
