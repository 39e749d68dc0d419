import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { type ApplyContext, apply } from '../../src/cli/apply.js';
import type { ApplyOptions } from '../../src/cli/content-options.js';
import { exportContent } from '../../src/cli/export.js';
import { listen } from '../../src/cli/server/listen.js';
import { createPlatform } from '../../src/platform/create-platform.js';
import type { PlatformOptions } from '../../src/platform/platform-options.js';
import { takePlatformDatabase } from '../platform/db/test-database.js';

const adminKey = 'the-admin-key-of-tests';

/** Content of files by path. */
export type Files = Readonly<Record<string, string>>;

/** Exit code and output of a command. */
export interface Outcome {
  readonly code: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** Starts a platform on a free port that records every write request, with folders to apply to it. */
export async function startContentPlatform(
  options: Pick<PlatformOptions, 'modelDirectory' | 'sourcesDirectory' | 'channels'> = {},
) {
  const listener = await listen({ host: '127.0.0.1', port: 0 });
  const database = await takePlatformDatabase();
  const platform = await createPlatform({ publicUrl: listener.url, adminKey, ...database.options, ...options });
  const client = new pg.Client(database.connection);
  await client.connect();
  const folder = await mkdtemp(join(tmpdir(), 'pa-content-'));
  const writes: string[] = [];
  const environment: Record<string, string> = {};
  const answers: { confirm: ApplyContext['confirm'] } = { confirm: null };
  /** Called before the next write request, to simulate a concurrent writer. */
  let intruder: (() => Promise<void>) | null = null;
  listener.serve(async request => {
    if (request.method !== 'GET') {
      writes.push(...(await callsOf(request)));
      const act = intruder;
      intruder = null;
      await act?.();
    }
    return platform.fetch(request);
  });
  let folders = 0;

  async function call(method: string, path: string, body?: unknown, token = adminKey) {
    const response = await platform.fetch(
      new Request(`${listener.url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const answer = text === '' ? null : JSON.parse(text);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return answer;
  }

  async function run(command: (context: ApplyContext) => Promise<number>): Promise<Outcome> {
    const [out, err]: [string[], string[]] = [[], []];
    writes.length = 0;
    const context: ApplyContext = {
      environment: { PA_ADMIN_KEY: adminKey, ...environment },
      confirm: answers.confirm,
      signal: new AbortController().signal,
      print: line => out.push(line),
      note: text => err.push(text),
    };
    const code = await command(context);
    // The lines with the public ids of dashboards come last and differ in each run.
    return { code, out: out.filter(line => !line.startsWith('dashboard ')), err };
  }

  const defaults = { dryRun: false, prune: false, adopt: false, yes: false, json: false };
  const target = { url: listener.url, deploymentId: null, keyFile: null };
  return {
    url: listener.url,
    adminKey,
    /** Write requests of the last command, and the operations of its batch. */
    writes,
    /** Environment variables of the commands, besides the key. */
    environment,
    /** Answers to the questions of commands; without a terminal by default. */
    answers,
    call,
    interrupt(act: () => Promise<void>) {
      intruder = act;
    },
    /** Writes files to a new folder. */
    async write(files: Files): Promise<string> {
      folders += 1;
      const directory = join(folder, String(folders));
      await mkdir(directory);
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(directory, path)), { recursive: true });
        await writeFile(join(directory, path), text);
      }
      return directory;
    },
    apply: (directory: string, options: Partial<ApplyOptions> = {}) =>
      run(context => apply({ ...defaults, directory, target, ...options }, context)),
    export: (directory: string) => run(context => exportContent({ directory, target }, context)),
    /** Deletes all content, because each command reads all of it. */
    clear: () =>
      client.query(
        "TRUNCATE folders, reports, workbooks, environment_variables CASCADE; DELETE FROM roles WHERE NOT is_built_in; DELETE FROM groups WHERE kind = 'account'",
      ),
    async stop() {
      await client.end();
      await listener.close(0);
      await platform.close();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the calls of a request: those in a batch, or the request itself. */
async function callsOf(request: Request): Promise<string[]> {
  const { pathname } = new URL(request.url);
  if (!pathname.endsWith('/content-batches')) return [`${request.method} ${pathname}`];
  const { steps } = await request.clone().json();
  return steps.map(({ operation }: { operation: string }) => operation);
}

/** Reads all files below a folder. */
export async function readFiles(directory: string): Promise<Files> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    paths.sort().map(async path => [path.slice(directory.length + 1), await readFile(path, 'utf8')]),
  );
  return Object.fromEntries(texts);
}
