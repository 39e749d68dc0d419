import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programCommand } from '../program.js';

const launched = fileURLToPath(new URL('launched.ts', import.meta.url));
const command = [process.execPath, ...programCommand(launched)].map(part => `"${part}"`).join(' ');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pa-launcher-'));
  const scripts = { serve: `true && ${command}`, daemon: `setsid ${command}` };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'host', version: '1.0.0', scripts }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a command and reads the first line of the started process. */
async function start(name: string, ...args: string[]) {
  const npm: ChildProcess = spawn(name, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  if (!npm.stdout) throw new Error('No output.');
  const [line] = await once(createInterface({ input: npm.stdout }), 'line');
  return { npm, ...(JSON.parse(line) as { pid: number; launchers: number }) };
}

// The output closes when the last process that holds it ends: npm, its shell and the command.
describe('a command that npm started ends', () => {
  test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('when npm ends with %s', async signal => {
    const { npm } = await start('npm', 'run', '--silent', 'serve');
    const closed = once(npm, 'close');
    npm.kill(signal);
    await closed;
  });

  test('when npx ends', async () => {
    const { npm } = await start('npx', '-c', command);
    const closed = once(npm, 'close');
    npm.kill('SIGHUP');
    await closed;
  });
});

test.runIf(process.platform === 'linux')('a daemon that an npm script starts watches nothing', async () => {
  const { npm, pid, launchers } = await start('npm', 'run', '--silent', 'daemon');
  const closed = once(npm, 'close');
  process.kill(pid, 'SIGKILL');
  await closed;
  expect(launchers).toBe(0);
});
