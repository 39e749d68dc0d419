import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const manifest = require.resolve('pa-embed/package.json');
const cli = join(dirname(manifest), require(manifest).bin['pa-platform']);
const model = fileURLToPath(new URL('model', import.meta.url));

/**
 * Starts `pa-platform serve` as a process of its own. It can be closed at once; `listening` resolves with its address.
 * The key goes through the environment: an argument could be read off the process list.
 */
export function startPlatform({ port, adminKey, allowOrigin, sources }) {
  const child = spawn(
    process.execPath,
    [
      cli,
      'serve',
      '--demo',
      '--no-query-log',
      '--port',
      String(port),
      '--model',
      model,
      '--sources',
      sources,
      '--allow-origin',
      allowOrigin,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, PA_ADMIN_KEY: adminKey } },
  );
  const exited = once(child, 'exit');
  const failed = exited.then(() => {
    throw new Error('The platform did not start.');
  });
  return {
    listening: Promise.race([listening(child), failed]),
    exited,
    async close() {
      if (child.exitCode === null && child.kill('SIGTERM')) await exited;
    },
  };
}

function listening(child) {
  return new Promise(resolve => {
    createInterface({ input: child.stdout }).on('line', line => {
      const match = /^pa-platform listening on (\S+)$/.exec(line);
      if (match) resolve(match[1]);
      else console.log(line);
    });
  });
}
