import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { publishSmallBoard } from './own-platform.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Origin of the running demo. */
    demo: string;
    /** Origin of its platform, and the file with the admin API key. */
    platform: { origin: string; keyFile: string };
    /** Public id of a dashboard with three tiles, for tests that do not need a dashboard of the demo. */
    smallBoard: string;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the demo on free ports, like its command does after the build; resolves with its origin. */
export async function startDemo(): Promise<Addresses & { stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['demo/serve.js', '--port', '0', '--platform-port', '0', '--no-comments'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const addresses = await Promise.race([ready(child), once(child, 'exit').then(() => null)]);
  if (addresses === null) throw new Error('The demo did not start.');
  return {
    ...addresses,
    stop: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Addresses that the demo prints. */
interface Addresses {
  readonly origin: string;
  readonly platform: { readonly origin: string; readonly keyFile: string };
}

function ready(child: ChildProcess): Promise<Addresses> {
  return new Promise(resolve => {
    if (!child.stdout) return;
    let platform = { origin: '', keyFile: '' };
    createInterface({ input: child.stdout }).on('line', line => {
      const [, address = '', keyFile = ''] = /^playground on (\S+): the admin API key is in (\S+)$/.exec(line) ?? [];
      if (keyFile) platform = { origin: address, keyFile };
      const match = /^demo ready on (\S+)$/.exec(line);
      if (match?.[1]) resolve({ origin: match[1], platform });
    });
  });
}

/** All end-to-end tests share one demo. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const demo = await startDemo();
  project.provide('demo', demo.origin);
  project.provide('platform', demo.platform);
  project.provide('smallBoard', await publishSmallBoard(demo.platform.origin, { keyFile: demo.platform.keyFile }));
  return demo.stop;
}
