import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import type { PlatformConnection } from '../../src/client/index.js';
import { startPostgresServer } from '../../src/platform/db/embedded-postgres/postgres-server.js';
import { cliCommand } from './cli-command.js';
import { type RoundRobin, startRoundRobin } from './round-robin.js';

const adminKey = 'the-admin-key-of-replicas';

/** Replicas of the platform on one folder, behind a round-robin proxy. */
export class ReplicaSet {
  readonly #folder: string;
  readonly #balancer: RoundRobin;
  readonly #replicas: ChildProcess[] = [];

  private constructor(folder: string, balancer: RoundRobin) {
    this.#folder = folder;
    this.#balancer = balancer;
  }

  /**
   * Starts all replicas at once on an empty folder.
   * @param args - command-line options of all replicas.
   */
  static async start(size: number, args: readonly string[]): Promise<ReplicaSet> {
    const set = new ReplicaSet(await mkdtemp(join(tmpdir(), 'pa-replicas-')), await startRoundRobin());
    try {
      await Promise.all(Array.from({ length: size }, () => set.#launch(args)));
    } catch (error) {
      await set.stop();
      throw error;
    }
    return set;
  }

  /** URL of the proxy. */
  get url(): string {
    return this.#balancer.url;
  }

  /** Connection of the admin through the proxy. */
  get admin(): PlatformConnection {
    return this.as(adminKey);
  }

  /** Returns a connection with a token through the proxy, with retries. */
  as(token: string): PlatformConnection {
    return { baseUrl: this.url, token, retries: 5 };
  }

  /** Connections with a token to each replica. */
  each(token: string = adminKey): PlatformConnection[] {
    return this.#balancer.ports.map((_, replica) => ({
      baseUrl: this.url,
      token,
      fetch: (input, init) =>
        fetch(input, { ...init, headers: { ...Object(init?.headers), 'x-replica': String(replica) } }),
    }));
  }

  /** Sends a signal to a replica and returns how it ended. */
  async end(replica: number, signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    const child = this.#replicas[replica];
    if (!child) throw new Error(`No replica ${replica}.`);
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode ?? child.signalCode;
  }

  /** Ends all running replicas and the database, and removes their files. */
  async stop(): Promise<void> {
    const running = this.#replicas.filter(child => child.exitCode === null && child.signalCode === null);
    await Promise.all(running.map(endOf));
    await this.#balancer.close();
    // Killed replicas leave their database running. The last replica that stops normally stops the database.
    await (await startPostgresServer({ directory: join(this.#folder, 'postgres') })).stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #launch(args: readonly string[]): Promise<void> {
    const flags = ['serve', '--port', '0', '--public-url', this.url, '--data', this.#folder, ...args];
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [...cliCommand, ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH, HOME, PA_ADMIN_KEY: adminKey, PA_SECRET_KEY: 'the-secret-key-that-replicas-have-in-common' },
    });
    this.#replicas.push(child);
    let errorOutput = '';
    child.stderr.on('data', chunk => {
      errorOutput = `${errorOutput}${chunk}`.slice(-2000);
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`A replica did not start: ${errorOutput}`);
    });
    ended.catch(() => undefined);
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
    // Ports have the same order as the replicas.
    this.#balancer.ports[this.#replicas.indexOf(child)] = Number(new URL(String(line).split(' ').at(-1) ?? '').port);
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = new AbortController();
  const kill = setTimeout(20_000, undefined, { signal: late.signal }).then(
    () => child.kill('SIGKILL'),
    () => undefined,
  );
  await exited;
  late.abort();
  await kill;
}
