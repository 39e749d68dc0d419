import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pause } from '../../runtime/retry.js';
import {
  Durability,
  databaseUser,
  launch,
  openCluster,
  type PostgresCluster,
  removeStaleLocks,
  runningServer,
  shutDown,
} from './postgres-cluster.js';

/** Connection parameters of the database; `host` is the folder of a Unix socket. */
export interface PostgresConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly ssl: false;
}

/** A reference-counted handle to an embedded Postgres server. The server stops when the last handle is released. */
export interface PostgresServer {
  /** Parameters of the connection. They remain valid after a restart of the server. */
  readonly connection: PostgresConnection;
  /** Releases the handle; releasing the last one stops the server. Close all connections first. */
  stop(): Promise<void>;
}

/** Options of an embedded Postgres server. */
export interface PostgresServerOptions {
  /**
   * Folder of the database, created if it is missing. Without it, the database is temporary and deleted when the
   * process ends.
   */
  readonly directory?: string;
}

const startLimit = 60_000;
const startAttempts = 8;
// Every process that uses the server holds this advisory lock in shared mode. A process that can acquire it exclusively
// is the last one. Two-number keys cannot collide with single-number keys.
const shareLock = '(28769, 1)';

/**
 * Starts the embedded Postgres on a folder, or joins a server that another process started there, even if that process
 * was killed. Restarts the server if it fails. The server does not listen on TCP; only the account of the process can
 * access its socket.
 * @throws Error with the reason if the server cannot start.
 */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  if (process.platform === 'win32') {
    throw new Error('The embedded Postgres does not run on Windows. Set the URL of a Postgres server instead.');
  }
  return options.directory === undefined ? startTemporary() : startShared(options.directory);
}

async function startShared(directory: string): Promise<PostgresServer> {
  const cluster = await openCluster(directory, Durability.durable);
  const membership = new Membership(cluster);
  await membership.join();
  return {
    connection: connectionTo(cluster),
    async stop() {
      const client = await membership.end();
      if (!client) return;
      // A process that joins at this point waits for the lock, loses its connection when the server stops, and then
      // starts the next server.
      if (await isLast(client)) await shutDown(cluster);
      await client.end();
    },
  };
}

/**
 * Releases the shared lock. Returns true if no other process holds it; then it is held exclusively, so that no process
 * can join.
 */
async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query(`SELECT pg_advisory_unlock_shared${shareLock}`);
    const { rows } = await client.query<{ last: boolean }>(`SELECT pg_try_advisory_lock${shareLock} AS last`);
    return rows[0]?.last ?? false;
  } catch {
    // Another process was the last one, and has stopped the server.
    return false;
  }
}

async function startTemporary(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pa-platform-'));
  const cluster = await openCluster(folder, Durability.temporary).catch(async error => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const cleaner = removeOnExit(cluster, folder);
  const membership = new Membership(cluster);
  const stop = async () => {
    await (await membership.end())?.end();
    cleaner.stdin?.end();
    // From here on, the child process must keep this process alive, so that its exit is observed.
    cleaner.ref();
    if (cleaner.exitCode === null) await once(cleaner, 'exit');
  };
  await membership.join().catch(async error => {
    await stop();
    throw error;
  });
  return { connection: connectionTo(cluster), stop };
}

/**
 * Removes a temporary database even if this process is killed. A shell waits until the pipe to this process is closed,
 * stops the server and removes its folders.
 */
function removeOnExit(cluster: PostgresCluster, folder: string): ChildProcess {
  const script = `read -r _
    lock=$1/postmaster.pid
    [ -e "$lock" ] && kill -QUIT "$(head -n 1 "$lock")"
    for _ in $(seq 200); do [ -e "$lock" ] || break; sleep 0.02; done
    rm -rf "$2" "$3"`;
  const cleaner = spawn('/bin/sh', ['-c', script, 'sh', cluster.files, cluster.sockets, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  cleaner.unref();
  return cleaner;
}

function connectionTo(cluster: PostgresCluster): PostgresConnection {
  return { host: cluster.sockets, port: 5432, user: databaseUser, database: 'postgres', ssl: false };
}

/** Holds the shared lock on a dedicated connection, and acquires it again if the server was restarted. */
class Membership {
  readonly #cluster: PostgresCluster;
  readonly #ending = new AbortController();
  #client: Promise<pg.Client | null> = Promise.resolve(null);

  constructor(cluster: PostgresCluster) {
    this.#cluster = cluster;
  }

  async join(): Promise<void> {
    const client = await takeShare(this.#cluster);
    client.once('end', () => {
      this.#client = this.#rejoin();
    });
    this.#client = Promise.resolve(client);
  }

  /**
   * Stops monitoring the server. Returns the connection that holds the lock, which the caller must close; `null` if the
   * connection is lost.
   */
  async end(): Promise<pg.Client | null> {
    this.#ending.abort();
    return this.#client;
  }

  async #rejoin(): Promise<pg.Client | null> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.join();
        return this.#client;
      } catch {
        await pause(1000, { signal, ref: false });
      }
    }
    return null;
  }
}

/** Connects and acquires the shared lock. Starts the server if none is running. */
async function takeShare(cluster: PostgresCluster): Promise<pg.Client> {
  const deadline = Date.now() + startLimit;
  let launched: ChildProcess | null = null;
  for (let attempts = 0, pauseMs = 10; Date.now() < deadline; pauseMs = Math.min(pauseMs * 1.25, 250)) {
    const client = await tryShare(cluster);
    if (client) return client;
    const starting = launched !== null && launched.exitCode === null && launched.signalCode === null;
    if (!starting && (await runningServer(cluster)) === null) {
      // Waits before each retry, because the last processes of an earlier server may hold its shared memory for a
      // moment.
      await pause(100 * attempts);
      attempts += 1;
      if (attempts > startAttempts) break;
      await removeStaleLocks(cluster);
      launched = await launch(cluster);
    }
    await pause(pauseMs);
  }
  throw new Error(`Could not start the embedded Postgres in ${cluster.files}. See ${cluster.log}.`);
}

async function tryShare(cluster: PostgresCluster): Promise<pg.Client | null> {
  const client = new pg.Client({ ...connectionTo(cluster), application_name: 'pa-platform' });
  // Errors are ignored, because a connection that fails later also emits `end`.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`SELECT pg_advisory_lock_shared${shareLock}`);
    return client;
  } catch {
    // Ignore the error, because the connection is already broken.
    await client.end().catch(() => undefined);
    return null;
  }
}
