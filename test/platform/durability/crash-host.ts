import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import {
  Durability,
  databaseUser,
  openCluster,
  type PostgresCluster,
  runningServer,
  shutDown,
} from '../../../src/platform/db/embedded-postgres/postgres-cluster.js';
import type { Answer } from '../test-platform.js';

/** Processes that a crash kills. */
export const victims = ['platform', 'database', 'both'] as const;
/** Processes that a crash kills. */
export type Victim = (typeof victims)[number];

/** A completed crash. */
export interface Crash {
  readonly victim: Victim;
  /** Time from the kill until the platform responded again. */
  readonly recoveryMs: number;
  /** Whether the same database process runs before and after the crash. */
  readonly isSameServer: boolean;
}

const adminKey = 'the-admin-key-of-crashes';
const waitTimeoutMs = 60_000;

/** A platform and its database as separate processes that can be killed, in a temporary folder. */
export class CrashHost {
  readonly #command: readonly string[];
  readonly #folder: string;
  #child: ChildProcess | null = null;
  #cluster: PostgresCluster | null = null;
  #url = '';
  #complaints = '';
  #down: Promise<unknown> = Promise.resolve();

  private constructor(command: readonly string[], folder: string) {
    this.#command = command;
    this.#folder = folder;
  }

  /** @param command - arguments of Node up to and including `serve`. */
  static async start(command: readonly string[]): Promise<CrashHost> {
    const host = new CrashHost(command, await mkdtemp(join(tmpdir(), 'pa-crash-')));
    try {
      await host.#launch();
      host.#cluster = await openCluster(join(host.#folder, 'postgres'), Durability.durable);
    } catch (error) {
      await host.stop();
      throw error;
    }
    return host;
  }

  /** Resolves when all processes are running. Rejects if a killed process does not start again. */
  get ready(): Promise<unknown> {
    return this.#down;
  }

  /**
   * Calls an operation.
   * @throws if the connection breaks.
   */
  async call(
    method: string,
    path: string,
    { body, credential = adminKey, requestId }: { body?: unknown; credential?: string; requestId?: string } = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${credential}`,
        ...(requestId !== undefined && { 'x-request-id': requestId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(waitTimeoutMs),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Calls an operation that must succeed. */
  async ok(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.call(method, path, { body });
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.body?.message}`);
  }

  /** Kills without warning and resolves when the platform responds again. `ready` waits for this response too. */
  kill(victim: Victim): Promise<Crash> {
    const crash = this.#crash(victim);
    this.#down = crash;
    return crash;
  }

  /** Connects to the database without starting one. */
  async connect(): Promise<pg.Client> {
    const host = this.#requireCluster().sockets;
    const client = new pg.Client({ host, port: 5432, user: databaseUser, database: 'postgres' });
    await client.connect();
    return client;
  }

  /** Stops platform and database, and deletes their data. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child && isAlive(child)) {
      child.kill('SIGTERM');
      await Promise.race([once(child, 'exit'), setTimeout(20_000, undefined, { ref: false })]);
      if (isAlive(child)) child.kill('SIGKILL');
    }
    // A killed platform may have left its database running.
    if (this.#cluster) await shutDown(this.#cluster);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #crash(victim: Victim): Promise<Crash> {
    const begun = performance.now();
    const cluster = this.#requireCluster();
    const before = await runningServer(cluster);
    const child = this.#child;
    if (before === null || !child) throw new Error('There is nothing to be killed.');
    if (victim !== 'platform') process.kill(before, 'SIGKILL');
    if (victim !== 'database') {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await this.#launch();
    }
    // The child processes of a killed server keep responding for a moment.
    await this.#answers(async () => victim === 'platform' || ![null, before].includes(await runningServer(cluster)));
    const isSameServer = (await runningServer(cluster)) === before;
    return { victim, recoveryMs: performance.now() - begun, isSameServer };
  }

  async #launch(): Promise<void> {
    const args = [...this.#command, 'serve', '--port', '0', '--data', this.#folder, '--group', 'crashed'];
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH, HOME, PA_ADMIN_KEY: adminKey },
    });
    this.#child = child;
    child.stderr.on('data', chunk => {
      this.#complaints = `${this.#complaints}${chunk}`.slice(-2000);
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The platform did not start: ${this.#complaints}`);
    });
    ended.catch(() => undefined);
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
    this.#url = String(line).replace(/^pa-platform listening on /, '');
  }

  async #answers(isUp: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + waitTimeoutMs;
    while (Date.now() < end) {
      const answer = (await isUp()) ? await this.call('GET', '/api/v1/deployments').catch(() => null) : null;
      if (answer?.status === 200) return;
      await setTimeout(20);
    }
    throw new Error(`The platform does not answer any more: ${this.#complaints}`);
  }

  #requireCluster(): PostgresCluster {
    if (!this.#cluster) throw new Error('The database was not started.');
    return this.#cluster;
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
