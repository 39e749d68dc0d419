import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './free-port.js';
import { launchBrowser } from './page.js';

// Follows docs/getting-started.md with its own snippets, in a separate project.

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = join(root, '.cache', 'getting-started');
const guide = readFileSync(join(root, 'docs', 'getting-started.md'), 'utf8');

/** Returns the fenced blocks with a file name: `<!-- file: server.js -->`. */
function namedFiles(): Map<string, string> {
  const blocks = guide.matchAll(/<!-- file: (\S+) -->\n```\w*\n([\s\S]*?)```/g);
  return new Map([...blocks].map(([, name = '', text = '']) => [name, text]));
}

/** Returns the last line of the command after a `<!-- run: … -->` mark. */
function commandLine(name: string): string {
  const block = new RegExp(`<!-- run: ${name} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';
  return block.trim().split('\n').at(-1) ?? '';
}

describe('getting started guide', () => {
  const children: ChildProcess[] = [];
  let browser: Browser;
  const { PA_ADMIN_KEY: _, ...env } = process.env;

  /** Starts a script of the project and resolves with the first matching line. */
  async function start(args: readonly string[], line: RegExp, extra: NodeJS.ProcessEnv = {}): Promise<string> {
    const child = spawn(process.execPath, args, {
      cwd: project,
      env: { ...env, ...extra },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const found = new Promise<string>(resolve => {
      createInterface({ input: child.stdout }).on('line', text => {
        const match = line.exec(text);
        if (match) resolve(match[1] ?? text);
      });
    });
    // Wait for 'close', because output may arrive after 'exit'.
    const failed = once(child, 'close').then(() =>
      Promise.reject(new Error(`${args[0]} ended without a line that matches ${line}`)),
    );
    return Promise.race([found, failed]);
  }

  beforeAll(async () => {
    browser = await launchBrowser();
    rmSync(project, { recursive: true, force: true });
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    symlinkSync(root, join(project, 'node_modules', 'pa-embed'), 'dir');
    cpSync(join(root, 'dist-platform'), join(project, 'node_modules', 'pa-embed-platform'), { recursive: true });
    writeFileSync(join(project, 'package.json'), '{"type": "module"}');
    for (const [name, text] of namedFiles()) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), text);
    }
    execFileSync('sh', ['-c', commandLine('data')], { cwd: project });
  });

  afterAll(async () => {
    await browser.close();
    for (const child of children.reverse()) {
      if (child.exitCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
    rmSync(project, { recursive: true, force: true });
  });

  it('leads from a file of rows to a dashboard per tenant', async () => {
    expect([...namedFiles().keys()]).toEqual([
      'model/orders.yml',
      'content/reports/OrdersTotal1.yml',
      'content/reports/OrdersSales1.yml',
      'content/reports/OrdersMonth1.yml',
      'content/workbooks/orders.yml',
      'server.js',
      'public/index.html',
    ]);
    const cli = join(project, 'node_modules', 'pa-embed-platform', 'pa-platform.js');
    const check = commandLine('check').replace('npx pa-platform ', '').split(' ');
    const checked = execFileSync(process.execPath, [cli, ...check], { cwd: project, env, encoding: 'utf8' });
    expect(checked).toContain('ok: 1 cube, 0 views');
    const command = commandLine('platform').replace('npx pa-platform ', '').split(' ');
    // The platform needs the host's origin before the host listens.
    const hostPort = await freePort();
    const args = command.map(word => word.replace('localhost:3000', `localhost:${hostPort}`));
    const platform = await start([cli, ...args, '--port', '0'], /^pa-platform listening on (\S+)$/);
    const key = execFileSync('sh', ['-c', `${commandLine('key')} && printf %s "$PA_ADMIN_KEY"`], { cwd: project });
    const second = { PA_BASE_URL: platform, PA_ADMIN_KEY: key.toString() };
    const apply = commandLine('apply').replace('npx pa-platform ', '').split(' ');
    const publicId = await start([cli, ...apply, '--url', platform], /^dashboard orders: ([0-9A-Za-z]{12})$/, second);
    const page = readFileSync(join(project, 'public', 'index.html'), 'utf8');
    writeFileSync(
      join(project, 'public', 'index.html'),
      page.replace('PUBLIC_ID', publicId).replace('http://127.0.0.1:4100', platform),
    );
    const host = await start(['server.js'], /^(http:\S+)$/, { ...second, PORT: String(hostPort) });
    const tab = await browser.newPage();
    const tile = tab.locator('pa-dashboard');
    await tab.goto(`${host}/sign-in/ann`);
    await tile.getByTitle('100', { exact: true }).waitFor();
    await tile.getByRole('heading', { name: 'Revenue by month' }).waitFor();
    expect(await tile.getByRole('heading', { name: 'Orders' }).count()).toBeGreaterThan(0);
    await tab.goto(`${host}/sign-in/bob`);
    await tile.getByTitle('200', { exact: true }).waitFor();
  });
});
