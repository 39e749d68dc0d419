import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatformError } from '../../errors.js';
import { TaskQueue } from '../../runtime/task-queue.js';
import { environmentOf, type GitResult, hardenedOptions } from './run-git.js';

/** How git reaches a repository of a git host. */
export interface Remote {
  /** URL without credentials. */
  readonly url: string;
  /** Git configuration. It is passed in the environment, because other users can read command lines. */
  readonly config: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

/** Purpose of a git command that uses the network. */
interface RemoteOptions {
  /** Whether the command stores objects in `directory`, and stops if they are too large. */
  readonly isReceiving?: boolean;
}

/** Result of a git command that uses the network. */
interface RemoteResult extends GitResult {
  /** The first part of the standard error output. It contains text of the git host, and must not be logged. */
  readonly errors: string;
}

const limits = { ms: 50_000, outputBytes: 4_000_000, errorBytes: 8_192, receivedBytes: 100_000_000 } as const;
const measureEveryMs = 200;

/** Limits the size of an object in memory, because a small pack can contain huge objects. */
const allocationLimit = { GIT_ALLOC_LIMIT: '200m' } as const;

/** Separate from the queue of local commands, which must not wait for slow git hosts. */
const connections = new TaskQueue({
  concurrency: 4,
  queueLimit: 80,
  rejection: () => new PlatformError(503, 'Too many repositories are being read. Try again in a moment.'),
});

const configuration: Readonly<Record<string, string>> = {
  // A redirect could send the credentials to another host.
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '15',
  'credential.helper': '',
  'core.bigFileThreshold': '2m',
  'transfer.fsckObjects': 'true',
  'fetch.fsckObjects': 'true',
  'transfer.bundleURI': 'false',
  // Received objects stay in a pack, so that they can be moved as a whole.
  'fetch.unpackLimit': '1',
  'push.followTags': 'false',
};

/** Reasons for failures, by the messages of git. Messages of the git host are not returned. */
const reasons: readonly (readonly [RegExp, number, string])[] = [
  [/couldn't find remote ref/, 409, 'The repository does not have this branch.'],
  [/host key verification failed/i, 502, 'The host key of the git host is not the key of the installation.'],
  [
    /authentication failed|could not read username|permission denied|error: 40[13]/i,
    502,
    'The git host rejected the credentials of the installation, or they do not allow this operation.',
  ],
  [/error: 3\d\d/, 502, 'The git host redirected the request. Use the URL to which it redirects.'],
  [
    /error: 404|not found|not appear to be a git repository/i,
    502,
    'The git host does not have this repository, or the credentials give no access to it.',
  ],
  [/certificate|SSL/, 502, 'The certificate of the git host is not valid.'],
  [
    /fsck error|over limit|index-pack failed|unpack-objects failed|bad object|non-commit object/i,
    409,
    'The repository contains objects that are not valid.',
  ],
];

/**
 * Runs a git command that connects to a git host, with limits on its time and on the data that it receives.
 * @param directory - the repository that receives objects.
 * @throws PlatformError 409 for too much data, 502 if the host does not respond in time, 503 if too many commands run.
 */
export async function runRemoteGit(
  directory: string,
  args: readonly string[],
  remote: Remote,
  options: RemoteOptions = {},
): Promise<RemoteResult> {
  const { signal } = new AbortController();
  return connections.run(remote.url, () => start(directory, args, remote, options), signal);
}

/** Creates the error for a failed command. @throws PlatformError 409 or 502 */
export function remoteProblem(errors: string): PlatformError {
  const [, status, message] = reasons.find(([pattern]) => pattern.test(errors)) ?? [];
  return new PlatformError(status ?? 502, message ?? 'The git host could not be reached, or rejected the request.');
}

function start(
  directory: string,
  args: readonly string[],
  { config, env }: Remote,
  { isReceiving = false }: RemoteOptions,
): Promise<RemoteResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...hardenedOptions, `--git-dir=${directory}`, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, so that the helpers of git can be stopped with it.
      detached: true,
      env: { ...environmentOf(directory), ...allocationLimit, ...env, ...variablesOf({ ...configuration, ...config }) },
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let errors = '';
    let problem: PlatformError | null = null;
    const stop = (reason: PlatformError) => {
      problem ??= reason;
      killGroup(child.pid);
    };
    const timer = setTimeout(() => stop(new PlatformError(502, 'The git host did not respond in time.')), limits.ms);
    let isMeasuring = false;
    const measure = async () => {
      if (isMeasuring) return;
      isMeasuring = true;
      if ((await sizeOfObjects(directory)) > limits.receivedBytes) stop(tooLarge());
      isMeasuring = false;
    };
    const measuring = isReceiving ? setInterval(() => void measure(), measureEveryMs) : undefined;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.outputBytes) stop(new PlatformError(409, 'The repository has too many branches.'));
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = `${errors}${chunk}`.slice(0, limits.errorBytes);
    });
    const end = () => {
      clearTimeout(timer);
      clearInterval(measuring);
    };
    child.on('error', () => {
      end();
      reject(new PlatformError(503, 'Could not run git. Install git 2.39 or later.'));
    });
    child.on('close', code => {
      end();
      if (problem) reject(problem);
      else resolve({ code: code ?? -1, output: Buffer.concat(chunks), errors });
    });
  });
}

function tooLarge(): PlatformError {
  return new PlatformError(409, `The repository is too large. The limit is ${limits.receivedBytes / 1e6} MB.`);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The processes have ended.
  }
}

/** Returns the variables with which git reads configuration from its environment. */
function variablesOf(config: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(config);
  const variables = entries.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(variables) };
}

/** Returns the size of the objects of a repository in bytes; 0 if it does not exist. */
export async function sizeOfObjects(directory: string): Promise<number> {
  const folder = join(directory, 'objects');
  // Git moves and deletes files meanwhile.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(
    files.map(file =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
