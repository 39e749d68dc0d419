import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { createPlatform } from '../../src/platform/create-platform.js';

// The host of the demo with a separate platform, for tests that change or restart the platform.

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = 'dist/cli/pa-platform.js';

/** The demo's host, which `open` connects to a platform. */
export interface Host {
  readonly origin: string;
  open(options: { platformUrl: string; dashboards: object }): void;
  close(): Promise<void>;
}

export async function startHost(adminKey: string): Promise<Host> {
  const host: { startHost(options: object): Promise<Host> } = await import(
    new URL('../../demo/host/server.js', import.meta.url).href
  );
  return host.startHost({ port: 0, adminKey });
}

/** Creates a temporary folder for the data of a platform. */
export const createDataFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'pa-own-platform-'));
export const removeDataFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** Options of `servePlatform`; `port` is 0 for a free one. */
export interface ServeOptions {
  readonly port?: string;
  readonly data: string;
  readonly adminKey: string;
  readonly host: Host;
  /** Further environment variables. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A platform in a child process. */
export interface OwnPlatform {
  readonly url: string;
  /** Stops the process unless it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts `pa-platform serve` with the model of the demo.
 * @throws Error if the platform ends before it listens.
 */
export async function servePlatform({ port = '0', data, adminKey, host, env }: ServeOptions): Promise<OwnPlatform> {
  const demo: { prepareSources(): Promise<string> } = await import(
    new URL('../../demo/sources.js', import.meta.url).href
  );
  const sources = await demo.prepareSources();
  const options = ['--port', port, '--data', data, '--model', 'demo/model', '--sources', sources];
  const child = spawn(process.execPath, [cli, 'serve', ...options, '--no-query-log', '--allow-origin', host.origin], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PA_ADMIN_KEY: adminKey, ...env },
  });
  const exited = once(child, 'exit');
  const url = await Promise.race([listening(child), exited.then(() => null)]);
  if (url === null) throw new Error('The platform did not start.');
  return {
    url,
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await exited;
    },
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on('line', line => {
      const found = /^pa-platform listening on (\S+)$/.exec(line)?.[1];
      if (found) resolve(found);
    });
  });
}

/** Publishes `small-board/` with an admin API key or the file that contains it; resolves with the public id. */
export async function publishSmallBoard(
  url: string,
  { adminKey, keyFile }: { readonly adminKey?: string; readonly keyFile?: string },
): Promise<string> {
  const folder = fileURLToPath(new URL('small-board', import.meta.url));
  const key = keyFile === undefined ? [] : ['--key-file', keyFile];
  const command = [cli, 'apply', folder, '--url', url, ...key, '--deployment', '1', '--json'];
  const env = adminKey === undefined ? process.env : { ...process.env, PA_ADMIN_KEY: adminKey };
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root, env });
  return JSON.parse(stdout).dashboards.small;
}

/** `createPlatform` of the build, whose modules do not have to be compiled for the tests. */
export const createBuiltPlatform: typeof createPlatform = async options => {
  const built: { createPlatform: typeof createPlatform } = await import(
    new URL('../../dist/platform/create-platform.js', import.meta.url).href
  );
  return built.createPlatform(options);
};
