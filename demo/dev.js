import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Rebuilds what changes under src/, and starts the demo anew on every rebuild and when its content changes.

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** The script behind a package's command. */
function command(packageName, name) {
  const manifest = require.resolve(`${packageName}/package.json`);
  const { bin } = require(manifest);
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[name]);
}

const children = [
  [command('@typescript/native', 'tsc'), '-p', 'src', '--watch', '--preserveWatchOutput'],
  [command('vite', 'vite'), 'build', '--watch'],
  [
    '--watch-path=dist',
    '--watch-path=demo/content',
    '--watch-preserve-output',
    'demo/serve.js',
    ...process.argv.slice(2),
  ],
  // A group each: what is started here starts more, and all of it has to end.
].map(args => spawn(process.execPath, args, { cwd: root, stdio: 'inherit', detached: true }));

function stop(child) {
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => children.forEach(stop));
}
