import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Origin of the running demo. */
    demo: string;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the demo on free ports, like its command does after the build; resolves with its origin. */
export async function startDemo(): Promise<{ origin: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['demo/serve.js', '--port', '0', '--platform-port', '0'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const origin = await Promise.race([ready(child), once(child, 'exit').then(() => null)]);
  if (origin === null) throw new Error('The demo did not start.');
  return {
    origin,
    stop: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on('line', line => {
      const match = /^demo ready on (\S+)$/.exec(line);
      if (match?.[1]) resolve(match[1]);
    });
  });
}

/** All end-to-end tests share one demo. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const demo = await startDemo();
  project.provide('demo', demo.origin);
  return demo.stop;
}
