import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
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

/** Where the database is: `host` is the folder of a Unix socket. */
export interface PostgresConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly ssl: false;
}

/** Our share in an embedded Postgres server. */
export interface PostgresServer {
  /** Stays the same when the server had to be started anew. */
  readonly connection: PostgresConnection;
  /** Gives the share back; the last one to do so stops the server. Close your connections first. */
  stop(): Promise<void>;
}

/** What the server is started on. */
export interface PostgresServerOptions {
  /** Folder of the database, made when it isn't there. Without it the database is thrown away when we stop or die. */
  readonly directory?: string;
}

const startLimit = 60_000;
const startAttempts = 8;
// Whoever uses the server holds this advisory lock shared; whoever then gets it alone is the last. It is a pair of numbers, so
// that it can't meet a lock of one number.
const shareLock = '(28769, 1)';

/**
 * Starts the embedded Postgres on a folder, or joins the server that runs there already: another process's, or one that a
 * killed process left behind. When the server dies, it is started anew. No TCP; the socket is for its account alone.
 * @throws Error that says in one sentence why it can't start.
 */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  if (process.platform === 'win32') {
    throw new Error('The embedded Postgres does not run on Windows yet: give the URL of a Postgres server instead.');
  }
  return options.directory === undefined ? startThrowAway() : startShared(options.directory);
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
      // Whoever comes now waits for the lock, loses its connection with the server, and starts the next one.
      if (await isLast(client)) await shutDown(cluster);
      await client.end();
    },
  };
}

/** Gives the share back and tells whether nobody else has one; then the lock is ours, so that nobody gets one. */
async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query(`SELECT pg_advisory_unlock_shared${shareLock}`);
    const { rows } = await client.query<{ last: boolean }>(`SELECT pg_try_advisory_lock${shareLock} AS last`);
    return rows[0]?.last ?? false;
  } catch {
    // The last one was quicker and has stopped the server under us.
    return false;
  }
}

async function startThrowAway(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pa-platform-'));
  const cluster = await openCluster(folder, Durability.throwAway).catch(async error => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const remover = removeAtTheEnd(cluster, folder);
  const membership = new Membership(cluster);
  const stop = async () => {
    await (await membership.end())?.end();
    remover.stdin?.end();
    // Until now it must not keep the process; from now on it must, or nobody is there to see it end.
    remover.ref();
    if (remover.exitCode === null) await once(remover, 'exit');
  };
  await membership.join().catch(async error => {
    await stop();
    throw error;
  });
  return { connection: connectionTo(cluster), stop };
}

/**
 * Nobody would ever find a throw-away database again, so its end must not depend on us: a shell waits for the pipe to us to be
 * closed, which our death by any signal does, stops the server and removes its folders.
 */
function removeAtTheEnd(cluster: PostgresCluster, folder: string): ChildProcess {
  const script = `read -r _
    lock=$1/postmaster.pid
    [ -e "$lock" ] && kill -QUIT "$(head -n 1 "$lock")"
    for _ in $(seq 200); do [ -e "$lock" ] || break; sleep 0.02; done
    rm -rf "$2" "$3"`;
  const remover = spawn('/bin/sh', ['-c', script, 'sh', cluster.files, cluster.sockets, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  remover.unref();
  return remover;
}

function connectionTo(cluster: PostgresCluster): PostgresConnection {
  return { host: cluster.sockets, port: 5432, user: databaseUser, database: 'postgres', ssl: false };
}

/** Holds the share lock on a connection of its own, and takes it anew whenever the server was lost. */
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

  /** Stops looking after the server; the connection that holds the lock is the caller's now. Null when the server is lost. */
  async end(): Promise<pg.Client | null> {
    this.#ending.abort();
    return this.#client;
  }

  async #rejoin(): Promise<pg.Client | null> {
    while (!this.#ending.signal.aborted) {
      try {
        await this.join();
        return this.#client;
      } catch {
        await setTimeout(1000, undefined, { signal: this.#ending.signal, ref: false }).catch(() => undefined);
      }
    }
    return null;
  }
}

/** Connects and takes the share lock, starting the server when there is none. */
async function takeShare(cluster: PostgresCluster): Promise<pg.Client> {
  const deadline = Date.now() + startLimit;
  let launched: ChildProcess | null = null;
  for (let attempts = 0, pause = 10; Date.now() < deadline; pause = Math.min(pause * 1.25, 250)) {
    const client = await tryShare(cluster);
    if (client) return client;
    const starting = launched !== null && launched.exitCode === null && launched.signalCode === null;
    if (!starting && (await runningServer(cluster)) === null) {
      // An earlier server's last processes can hold its memory for a moment.
      await setTimeout(100 * attempts);
      attempts += 1;
      if (attempts > startAttempts) break;
      await removeStaleLocks(cluster);
      launched = await launch(cluster);
    }
    await setTimeout(pause);
  }
  throw new Error(`The embedded Postgres does not start on ${cluster.files}: ${cluster.log} says why.`);
}

async function tryShare(cluster: PostgresCluster): Promise<pg.Client | null> {
  const client = new pg.Client({ ...connectionTo(cluster), application_name: 'pa-platform' });
  // A connection that breaks later also emits `end`.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`SELECT pg_advisory_lock_shared${shareLock}`);
    return client;
  } catch {
    await client.end().catch(() => undefined);
    return null;
  }
}
