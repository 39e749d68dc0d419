import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './free-port.js';
import { launchBrowser } from './page.js';

// Follows "Embed a dashboard" of the README with the very text that stands there, in a project of its own.

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = join(root, '.cache', 'readme');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const adminKey = 'readme-admin-key-readme-admin-key-0001';

/** The fenced blocks that name their file: `<!-- file: server.js -->`. */
function namedFiles(): Map<string, string> {
  const blocks = readme.matchAll(/<!-- file: (\S+) -->\n```\w*\n([\s\S]*?)```/g);
  return new Map([...blocks].map(([, name = '', text = '']) => [name, text]));
}

/** The command that follows a `<!-- run: … -->` mark, its last line. */
function commandLine(name: string): string {
  const block = new RegExp(`<!-- run: ${name} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? '';
  return block.trim().split('\n').at(-1) ?? '';
}

async function writeOrders(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = `SELECT i AS id, CASE WHEN i % 3 = 0 THEN 'acme' ELSE 'globex' END AS tenant, 'paid' AS status,
    TIMESTAMP '2026-01-01' + INTERVAL (i) HOUR AS created_at FROM range(300) t(i)`;
  await connection.run(`COPY (${rows}) TO '${file.replaceAll("'", "''")}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}

describe('the README', () => {
  const children: ChildProcess[] = [];
  let browser: Browser;
  const env = { ...process.env, PA_ADMIN_KEY: adminKey };

  /** Starts a script of the project and resolves with the first line that matches. */
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
    // Not 'exit': what a process said last may be read after its end.
    const failed = once(child, 'close').then(() =>
      Promise.reject(new Error(`${args[0]} ended without a line like ${line}`)),
    );
    return Promise.race([found, failed]);
  }

  beforeAll(async () => {
    browser = await launchBrowser();
    rmSync(project, { recursive: true, force: true });
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    symlinkSync(root, join(project, 'node_modules', 'pa-embed'), 'dir');
    writeFileSync(join(project, 'package.json'), '{"type": "module"}');
    for (const [name, text] of namedFiles()) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), text);
    }
    mkdirSync(join(project, 'sources'));
    await writeOrders(join(project, 'sources', 'orders.parquet'));
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

  it('leads from a table to a dashboard in a page', async () => {
    expect([...namedFiles().keys()]).toEqual([
      'model/orders.yml',
      'content/reports/OrdersTotal1.yml',
      'content/workbooks/orders.yml',
      'server.js',
      'public/index.html',
    ]);
    const command = commandLine('platform').replace('npx pa-platform ', '').split(' ');
    // The platform must be told the host's origin before the host listens.
    const hostPort = await freePort();
    const args = command.map(word => word.replace('localhost:3000', `localhost:${hostPort}`));
    const cli = join(root, 'dist', 'cli', 'pa-platform.js');
    const platform = await start([cli, ...args, '--port', '0'], /^pa-platform listening on (\S+)$/);
    const base = { PA_BASE_URL: platform };
    const apply = commandLine('apply').replace('npx pa-platform ', '').split(' ');
    const publicId = await start([cli, ...apply, '--url', platform], /^dashboard orders: ([0-9A-Za-z]{12})$/);
    const page = readFileSync(join(project, 'public', 'index.html'), 'utf8');
    writeFileSync(
      join(project, 'public', 'index.html'),
      page.replace('PUBLIC_ID', publicId).replace('http://127.0.0.1:4100', platform),
    );
    const host = await start(['server.js'], /^(http:\S+)$/, { ...base, PORT: String(hostPort) });
    const tab = await browser.newPage();
    const asked: string[] = [];
    tab.on('request', request => asked.push(request.url()));
    await tab.goto(host);
    const tile = tab.locator('pa-dashboard');
    await tile.getByText('100', { exact: true }).waitFor();
    expect(await tile.getByRole('heading', { name: 'Orders' }).count()).toBeGreaterThan(0);
    // A page without a chart never loads what draws charts.
    expect(asked.filter(url => /pa-tile-kpi/.test(url))).toHaveLength(1);
    expect(asked.filter(url => /\/vega|pa-tile-chart/.test(url))).toEqual([]);
  });
});
