import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const manifest = require.resolve('pa-embed/package.json');
const cli = join(dirname(manifest), require(manifest).bin['pa-platform']);
/** Calls the callback when the npm process that runs the demo ends. */
export const { watchLauncher } = await import(pathToFileURL(join(dirname(cli), 'launcher.js')).href);

const model = fileURLToPath(new URL('model', import.meta.url));
const content = fileURLToPath(new URL('content', import.meta.url));

/**
 * Starts `pa-platform serve` in a child process. It can be closed immediately; `listening` resolves with its URL. The
 * key is passed in the environment, because arguments are visible in the process list.
 */
export function startPlatform({ port, adminKey, allowOrigin, sources, smtpUrl }) {
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
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PA_ADMIN_KEY: adminKey,
        PA_SMTP_URL: smtpUrl,
        PA_MAIL_FROM: 'Turnaround <reports@turnaround.example>',
      },
    },
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

/**
 * Runs `pa-platform apply` to publish the dashboards in `content/`. Running it again changes nothing. An edited file is
 * published when the demo starts the next time.
 * @returns the dashboards' public ids by file name.
 */
export async function applyContent({ platformUrl, adminKey }) {
  const args = [cli, 'apply', content, '--url', platformUrl, '--deployment', '1', '--json'];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PA_ADMIN_KEY: adminKey },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].on('data', chunk => {
      output[name] += chunk;
    });
  }
  const [code] = await once(child, 'close');
  const { dashboards, problems = [] } = output.stdout === '' ? {} : JSON.parse(output.stdout);
  if (code === 0) return dashboards;
  const lines = problems.map(({ file, line, message }) => `demo/content/${file}:${line}: ${message}`);
  throw new Error(['Could not apply the demo content.', ...lines, output.stderr].join('\n'));
}
