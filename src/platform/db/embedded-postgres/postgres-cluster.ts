import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, link, lstat, mkdir, open, readFile, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  fileExists,
  findPostgresAccount,
  findPostgresBinaries,
  ignoreErrorCodes,
  type PostgresAccount,
  type PostgresBinaries,
} from './postgres-binaries.js';

/** How much a crash of the machine may cost: nothing, or everything (and writing is faster). */
export const Durability = { durable: 'durable', throwAway: 'throw-away' } as const;
/** How much a crash of the machine may cost: nothing, or everything (and writing is faster). */
export type Durability = (typeof Durability)[keyof typeof Durability];

/** One database cluster on disk, with what it takes to run a server on it. */
export interface PostgresCluster {
  /** Folder of the cluster's own files; the account's, 0700. */
  readonly files: string;
  /** Folder of the Unix socket; the account's, 0700, and short (a socket's path has about 100 bytes). */
  readonly sockets: string;
  /** What the server says; fatal errors alone, because other lines can hold values of rows. */
  readonly log: string;
  readonly durability: Durability;
  readonly account: PostgresAccount | null;
  readonly binaries: PostgresBinaries;
}

/** Name of the only role; with the socket in a folder of mode 0700 there is no password. */
export const databaseUser = 'platform';

/** Opens the cluster below `directory`, and makes it when there is none. Safe when several processes do it at once. */
export async function openCluster(directory: string, durability: Durability): Promise<PostgresCluster> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const home = await realpath(directory);
  const account = await findPostgresAccount();
  // By device and inode, so that the server is found again when the folder was moved or is mounted elsewhere.
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
  if (!(await fileExists(cluster.files))) await initialise(cluster, home);
  return cluster;
}

// One call for a thousand files, where the system has it.
const syncMethod = process.platform === 'linux' ? 'syncfs' : 'fsync';

async function initialise(cluster: PostgresCluster, home: string): Promise<void> {
  const draft = join(home, `draft-${randomBytes(6).toString('hex')}`);
  await mkdir(draft, { mode: 0o700 });
  if (cluster.account) await chown(draft, cluster.account.uid, cluster.account.gid);
  try {
    const child = run(cluster, cluster.binaries.initdb, draft, 'pipe', [
      `--username=${databaseUser}`,
      '--auth-local=trust',
      '--auth-host=reject',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      cluster.durability === Durability.durable ? `--sync-method=${syncMethod}` : '--no-sync',
    ]);
    let complaint = '';
    child.stdout?.resume();
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-1000);
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`The embedded Postgres can't make a database in ${home}: ${complaint.trim()}`);
    // Whoever renames first wins; a cluster that appeared meanwhile is used.
    await rename(draft, cluster.files).catch(ignoreErrorCodes('ENOTEMPTY', 'EEXIST'));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Starts a server on the cluster and returns at once; the server outlives us. */
export async function launch(cluster: PostgresCluster): Promise<ChildProcess> {
  await makeSocketFolder(cluster);
  const log = await open(cluster.log, 'a', 0o600);
  try {
    if ((await log.stat()).size > 1_000_000) await log.truncate();
    const server = run(cluster, cluster.binaries.postgres, cluster.files, log.fd, [
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
    ...(durability === Durability.throwAway
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
      : {}),
  };
}

function run(cluster: PostgresCluster, program: string, files: string, output: number | 'pipe', options: string[]) {
  // Under another account the cluster may lie below folders that only root can pass; our own child's working folder is
  // taken before it changes accounts, and this name leads there without them.
  const target = cluster.account && process.platform === 'linux' ? '/proc/self/cwd' : files;
  return spawn(program, ['-D', target, ...options], {
    cwd: files,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stdio: ['ignore', output, output],
    // A Ctrl-C on our terminal must not reach a server that others may share.
    detached: true,
    ...cluster.account,
  });
}

async function makeSocketFolder(cluster: PostgresCluster): Promise<void> {
  const { sockets, account } = cluster;
  await mkdir(sockets, { mode: 0o700 }).catch(ignoreErrorCodes('EEXIST'));
  const found = await lstat(sockets).catch(ignoreErrorCodes('ENOENT'));
  // Whoever stopped a server at this moment has removed the folder.
  if (!found) return makeSocketFolder(cluster);
  const ours = found.uid === process.getuid?.() || found.uid === account?.uid;
  if (!found.isDirectory() || !ours || (found.mode & 0o077) !== 0) {
    throw new Error(`${sockets} belongs to someone else: remove it, it is the place of the database's socket.`);
  }
  if (account) await chown(sockets, account.uid, account.gid).catch(ignoreErrorCodes('ENOENT'));
}

/** The process id of the server that runs on the cluster, also one that another process of ours has left behind. */
export async function runningServer(cluster: PostgresCluster): Promise<number | null> {
  const pid = Number.parseInt(await readLock(lockOf(cluster)), 10);
  return pid > 1 && (await isServerOf(cluster, pid)) ? pid : null;
}

/** Process ids come round again, above all in containers: the process must also have been started on the cluster's socket. */
async function isServerOf(cluster: PostgresCluster, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid);
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
 * Removes the lock files of a server that is gone. Postgres does it too, but not while another process of the account has the
 * process id, be it the dead server itself, which nobody has waited for: a container's first process often waits for none.
 */
export async function removeStaleLocks(cluster: PostgresCluster): Promise<void> {
  for (const file of [lockOf(cluster), join(cluster.sockets, '.s.PGSQL.5432.lock')]) {
    const lock = await readLock(file);
    const pid = Number.parseInt(lock, 10);
    if (!(pid > 1) || !isAlive(pid) || (await isServerOf(cluster, pid))) continue;
    const aside = `${file}.${randomBytes(6).toString('hex')}`;
    await rename(file, aside).catch(ignoreErrorCodes('ENOENT'));
    // A lock that a new server wrote in between is put back.
    if ((await readFile(aside, 'utf8').catch(() => lock)) !== lock) await link(aside, file);
    await rm(aside, { force: true });
  }
}

/** Stops the server fast, and settles when it is gone. A no-op when none runs; one that takes its place is let be. */
export async function shutDown(cluster: PostgresCluster): Promise<void> {
  const pid = await runningServer(cluster);
  if (pid === null) return;
  const patience = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
  ] as const;
  for (const [signal, limit] of patience) {
    if ((await runningServer(cluster)) !== pid) break;
    send(signal, pid);
    const end = Date.now() + limit;
    while (Date.now() < end && (await runningServer(cluster)) === pid) await setTimeout(10);
  }
  // Whoever starts a server at this moment may have put its socket there already.
  await rmdir(cluster.sockets).catch(ignoreErrorCodes('ENOENT', 'ENOTEMPTY'));
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function lockOf(cluster: PostgresCluster): string {
  return join(cluster.files, 'postmaster.pid');
}

async function readLock(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
