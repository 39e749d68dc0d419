import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chown,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../../runtime/retry.js';
import {
  cachedFolder,
  fileExists,
  findPostgresAccount,
  findPostgresBinaries,
  ignoreErrorCodes,
  openToOthers,
  type PostgresAccount,
  type PostgresBinaries,
} from './postgres-binaries.js';

/** Whether data must survive a crash of the machine. Temporary clusters skip syncing, which makes writes faster. */
export const Durability = { durable: 'durable', temporary: 'temporary' } as const;
/** Whether data must survive a crash of the machine. */
export type Durability = (typeof Durability)[keyof typeof Durability];

/** A database cluster on disk, with the paths and the account that a server needs. */
export interface PostgresCluster {
  /** Folder of the cluster's files, owned by the account, mode 0700. */
  readonly files: string;
  /**
   * Folder of the Unix socket, owned by the account, mode 0700. Its path is short, because socket paths are limited to
   * about 100 bytes.
   */
  readonly sockets: string;
  /** Log of the server. Contains fatal errors only, because other messages can contain values of rows. */
  readonly log: string;
  readonly durability: Durability;
  readonly account: PostgresAccount | null;
  readonly binaries: PostgresBinaries;
}

/** Name of the only role. It has no password, because the socket is in a folder with mode 0700. */
export const databaseUser = 'platform';

/** Opens the cluster in `directory`, and creates it if it is missing. Safe for concurrent processes. */
export async function openCluster(directory: string, durability: Durability): Promise<PostgresCluster> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const home = await realpath(directory);
  const account = await findPostgresAccount();
  // Device and inode identify the folder, so that a running server is found even if the folder was moved or mounted
  // elsewhere.
  const { dev, ino } = await stat(home);
  const name = createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 16);
  const cluster: PostgresCluster = {
    files: join(home, 'cluster'),
    sockets: `/tmp/pa-embed-${name}`,
    log: join(home, 'server.log'),
    durability,
    account,
    binaries: await findPostgresBinaries(account),
  };
  if (!(await fileExists(cluster.files))) await initialize(cluster, home);
  return cluster;
}

// `syncfs` syncs all files with one call, but is supported only on Linux.
const syncMethod = process.platform === 'linux' ? 'syncfs' : 'fsync';

async function initialize(cluster: PostgresCluster, home: string): Promise<void> {
  const draft = join(home, `draft-${randomBytes(6).toString('hex')}`);
  await mkdir(draft, { mode: 0o700 });
  if (cluster.account) await chown(draft, cluster.account.uid, cluster.account.gid);
  try {
    if (cluster.durability === Durability.durable) await initdb(cluster, draft);
    else await createTemporary(cluster, draft);
    // If another process has created the cluster in the meantime, uses that cluster.
    await rename(draft, cluster.files).catch(ignoreErrorCodes('ENOTEMPTY', 'EEXIST'));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const initdbOptions = [
  `--username=${databaseUser}`,
  '--auth-local=trust',
  '--auth-host=reject',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

/** Creates the files of a cluster in an empty folder that the account owns. */
async function initdb({ durability, account, binaries }: PostgresCluster, folder: string): Promise<void> {
  const syncOption = durability === Durability.durable ? `--sync-method=${syncMethod}` : '--no-sync';
  await runToEnd(account, binaries.initdb, folder, [
    '-D',
    workingFolder(account, folder),
    ...initdbOptions,
    syncOption,
  ]);
}

/**
 * Creates the files of a temporary cluster by copying them from the cache, which takes a tenth of the time of initdb. A
 * durable cluster is never copied, so that it depends on nothing outside its folder.
 */
async function createTemporary(cluster: PostgresCluster, folder: string): Promise<void> {
  const { account, binaries } = cluster;
  const { mtimeMs, size } = await stat(binaries.initdb);
  const key = JSON.stringify([binaries.initdb, mtimeMs, size, initdbOptions]);
  const name = `cluster-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
  let isCreated = false;
  try {
    const template = await cachedFolder(name, async draft => {
      await initdb(cluster, folder);
      isCreated = true;
      // The account of this process owns the copy. Other accounts can read it, because it contains no rows.
      await runToEnd(null, 'cp', draft, ['-RP', `${folder}/.`, '.']);
      await openToOthers(draft);
    });
    if (!isCreated) await runToEnd(account, 'cp', folder, ['-RP', `${template}/.`, '.']);
  } catch {
    if (isCreated) return;
    // Ignore the error. The cache folder is not writable, or a volume is full. If initdb fails too, it reports the
    // reason.
    await Promise.all((await readdir(folder)).map(entry => rm(join(folder, entry), { recursive: true })));
    await initdb(cluster, folder);
  }
}

/** Runs a program to its end. @throws Error with the last messages of the program if it fails. */
async function runToEnd(account: PostgresAccount | null, program: string, folder: string, args: string[]) {
  const child = run(account, program, folder, 'pipe', args);
  let stderr = '';
  child.stdout?.resume();
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-1000);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`Could not create the embedded Postgres in ${folder}: ${stderr.trim()}`);
}

/** Starts a server on the cluster and returns without waiting for it. The server outlives this process. */
export async function launch(cluster: PostgresCluster): Promise<ChildProcess> {
  await makeSocketFolder(cluster);
  const log = await open(cluster.log, 'a', 0o600);
  try {
    if ((await log.stat()).size > 1_000_000) await log.truncate();
    const { account, binaries, files } = cluster;
    const server = run(account, binaries.postgres, files, log.fd, [
      ...['-D', workingFolder(account, files)],
      ...['-k', cluster.sockets, '-h', ''],
      ...Object.entries(settings(cluster.durability)).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]);
    await once(server, 'spawn');
    server.unref();
    return server;
  } finally {
    await log.close();
  }
}

function settings(durability: Durability): Record<string, string> {
  return {
    max_connections: '100',
    shared_buffers: '32MB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    timezone: 'UTC',
    jit: 'off',
    recovery_init_sync_method: syncMethod,
    log_min_messages: 'fatal',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(durability === Durability.temporary
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
      : {}),
  };
}

/**
 * Returns the path by which a child process refers to its working folder. The account may lack access to the folders
 * above it. The child process enters its working folder before it changes its account, and this path does not traverse
 * the folders above.
 */
const workingFolder = (account: PostgresAccount | null, folder: string): string =>
  account && process.platform === 'linux' ? '/proc/self/cwd' : folder;

function run(
  account: PostgresAccount | null,
  program: string,
  folder: string,
  output: number | 'pipe',
  args: string[],
) {
  return spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stdio: ['ignore', output, output],
    // Detach the process, so that Ctrl-C in the terminal does not reach a server that other processes may share.
    detached: true,
    ...account,
  });
}

async function makeSocketFolder(cluster: PostgresCluster): Promise<void> {
  const { sockets, account } = cluster;
  await mkdir(sockets, { mode: 0o700 }).catch(ignoreErrorCodes('EEXIST'));
  const found = await lstat(sockets).catch(ignoreErrorCodes('ENOENT'));
  // Another process that stopped its server has just removed the folder.
  if (!found) return makeSocketFolder(cluster);
  const isOwn = found.uid === process.getuid?.() || found.uid === account?.uid;
  if (!found.isDirectory() || !isOwn || (found.mode & 0o077) !== 0) {
    throw new Error(
      `${sockets} is not a private folder of this account. Remove it; the platform creates it again for the socket of the database.`,
    );
  }
  if (account) await chown(sockets, account.uid, account.gid).catch(ignoreErrorCodes('ENOENT'));
}

/**
 * Returns the process id of the server that runs on the cluster, no matter which process started it; `null` if none
 * runs.
 */
export async function runningServer(cluster: PostgresCluster): Promise<number | null> {
  const pid = Number.parseInt(await readLock(lockOf(cluster)), 10);
  return pid > 1 && (await isServerOf(cluster, pid)) ? pid : null;
}

/**
 * Whether a process is the server of the cluster. Its command line must contain the socket folder of the cluster,
 * because process ids are reused, especially in containers.
 */
async function isServerOf(cluster: PostgresCluster, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid);
  // The process has exited, or belongs to another user, so it is not this server.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.split('\0').includes(cluster.sockets);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Removes the lock files of a server that no longer runs. Postgres does the same, but not if a process of the account
 * has the process id of the server. This can be the dead server itself, a zombie that its parent has not reaped, which
 * is common in containers.
 */
export async function removeStaleLocks(cluster: PostgresCluster): Promise<void> {
  for (const file of [lockOf(cluster), join(cluster.sockets, '.s.PGSQL.5432.lock')]) {
    const lock = await readLock(file);
    const pid = Number.parseInt(lock, 10);
    if (!(pid > 1) || !isAlive(pid) || (await isServerOf(cluster, pid))) continue;
    const aside = `${file}.${randomBytes(6).toString('hex')}`;
    await rename(file, aside).catch(ignoreErrorCodes('ENOENT'));
    // Restores the lock file if a new server wrote it in the meantime.
    if ((await readFile(aside, 'utf8').catch(() => lock)) !== lock) await link(aside, file);
    await rm(aside, { force: true });
  }
}

/**
 * Stops the server in fast mode and resolves when it has exited. Does nothing if no server runs; ignores a server that
 * starts later.
 */
export async function shutDown(cluster: PostgresCluster): Promise<void> {
  const pid = await runningServer(cluster);
  if (pid === null) return;
  const signals = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
  ] as const;
  for (const [signal, limit] of signals) {
    if ((await runningServer(cluster)) !== pid) break;
    send(signal, pid);
    const end = Date.now() + limit;
    while (Date.now() < end && (await runningServer(cluster)) === pid) await pause(10);
  }
  // Removes the folder only if it is empty, because a process that starts another server may already have created its
  // socket in it.
  await rmdir(cluster.sockets).catch(ignoreErrorCodes('ENOENT', 'ENOTEMPTY'));
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH means that the process has already exited.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function lockOf(cluster: PostgresCluster): string {
  return join(cluster.files, 'postmaster.pid');
}

async function readLock(file: string): Promise<string> {
  // Without a lock file, no server is running.
  return readFile(file, 'utf8').catch(() => '');
}
