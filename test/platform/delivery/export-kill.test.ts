import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { dashboardExports } from '../../../src/platform/db/schema.js';
import { programCommand } from '../../program.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const list = '/api/v1/deployments/1/dashboard-exports';
const program = programCommand(fileURLToPath(new URL('export-process.ts', import.meta.url)));

let platform: TestPlatform;
let dashboardId: number;
let child: ChildProcess | null = null;

beforeAll(async () => {
  platform = await startTestPlatform();
  const workbook = await platform.ok('PUT', '/api/v1/deployments/1/workbooks/by-slug/killed', {});
  const widget = {
    id: 'text',
    type: 'TEXT',
    position: { x: 0, y: 0, w: 12, h: 4 },
    config: { markdown: 'Still here' },
  };
  const path = `/api/v1/deployments/1/workbooks/${workbook.id}/publish`;
  dashboardId = (await platform.ok('POST', path, { config: { widgets: [widget] }, allowEmbed: true })).id;
});

afterAll(async () => {
  await kill();
  await platform?.stop();
});

async function start(): Promise<void> {
  const started = spawn(process.execPath, program, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, EXPORTS: JSON.stringify(platform.connection) },
  });
  child = started;
  await once(createInterface({ input: started.stdout }), 'line');
}

async function kill(): Promise<void> {
  const victim = child;
  child = null;
  if (!victim || victim.exitCode !== null) return;
  const exited = once(victim, 'exit');
  victim.kill('SIGKILL');
  await exited;
}

const read = async (jobId: string) => {
  const [row] = await platform.db.select().from(dashboardExports).where(eq(dashboardExports.id, jobId));
  return row;
};

/** Waits until an export has a state. */
const reach = (jobId: string, states: readonly string[]) =>
  vi.waitFor(async () => expect(states).toContain((await read(jobId))?.status), { timeout: 60_000, interval: 2 });

it.each(['pending', 'processing', 'completed'] as const)(
  'completes exports of a process that was killed while one was %s',
  async state => {
    const jobs: string[] = [];
    for (const format of ['pdf', 'png', 'xlsx']) {
      jobs.push((await platform.ok('POST', list, { dashboardId, format })).jobId);
    }
    const [first = ''] = jobs;
    if (state === 'pending') {
      // The process is killed before it can take a job.
      void start().catch(() => {});
    } else {
      await start();
      await reach(first, state === 'processing' ? ['processing', 'completed'] : ['completed']);
    }
    await kill();
    await start();
    for (const jobId of jobs) {
      await reach(jobId, ['completed', 'failed']);
      const row = await read(jobId);
      expect(row).toMatchObject({ status: 'completed', progress: 100, error: null });
      expect(row?.content?.length).toBeGreaterThan(500);
    }
    // A job is deleted after its export was completed.
    await vi.waitFor(
      async () => {
        const { rows } = await platform.db.execute(sql`select 1 from jobs where kind = 'dashboard-export'`);
        expect(rows).toEqual([]);
      },
      { timeout: 60_000 },
    );
    await kill();
  },
  120_000,
);
