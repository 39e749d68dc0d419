import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { notificationDeliveries, notificationRuns, users } from '../../../src/platform/db/schema.js';
import { startRun } from '../../../src/platform/delivery/run-store.js';
import { waitTimeoutMs } from '../../eventually.js';
import { programCommand } from '../../program.js';
import { casesAtDepth, seed } from '../../property.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';
import { headerOf, type SmtpSink, startSmtpSink } from './smtp-sink.js';

const rounds = casesAtDepth(50, 5);
const recipientCount = 20;
const program = programCommand(fileURLToPath(new URL('delivery-process.ts', import.meta.url)));

let sink: SmtpSink;
let platform: TestPlatform;
let notificationId: number;
let child: ChildProcess | null = null;

beforeAll(async () => {
  sink = await startSmtpSink();
  platform = await startTestPlatform();
  const workbook = await platform.ok('PUT', '/api/v1/deployments/1/workbooks/by-slug/killed', {});
  const path = `/api/v1/deployments/1/workbooks/${workbook.id}`;
  const dashboard = await platform.ok('POST', `${path}/publish`, { config: { widgets: [] }, allowEmbed: true });
  await platform.ok('PUT', `${path}/embed-access`, { allEmbedUsers: true, action: 'read' });
  const list = '/api/v1/deployments/1/notifications';
  const { id } = await platform.ok('POST', list, { dashboardId: dashboard.id, scheduleType: 'DAILY' });
  const recipients = Array.from({ length: recipientCount }, (_, index) => ({
    type: 'EMBED_USER',
    embedTenantName: 'acme',
    externalId: `user${index}@example.com`,
    // Several renderings, so that a process can be killed between them.
    securityContext: { part: index % 4 },
  }));
  await platform.ok('POST', `${list}/${id}/recipients`, { recipients });
  notificationId = id;
});

afterAll(async () => {
  await kill();
  await platform?.stop();
  await sink?.close();
});

async function start(): Promise<void> {
  const settings = JSON.stringify({ connection: platform.connection, smtpUrl: sink.url });
  const started = spawn(process.execPath, program, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DELIVERY: settings },
  });
  child = started;
  await once(createInterface({ input: started.stdout }), 'line');
}

async function kill(): Promise<void> {
  const victim = child;
  child = null;
  if (!victim) return;
  const exited = once(victim, 'exit');
  victim.kill('SIGKILL');
  await exited;
}

/** Kills the process while the sink receives a message, or after a number of event loop turns after its reply. */
function killAt(message: number, turns: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let count = 0;
    sink.onMessage = async () => {
      count += 1;
      if (count !== message) return null;
      if (turns < 0) await kill();
      else void afterTurns(turns).then(kill).then(resolve, reject);
      if (turns < 0) resolve();
      return null;
    };
  });
}

async function afterTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(resolve => setImmediate(resolve));
}

const statesOf = async (runId: number) => {
  const rows = await platform.db
    .select({ state: notificationDeliveries.state, address: users.externalId })
    .from(notificationDeliveries)
    .innerJoin(users, eq(users.id, notificationDeliveries.userId))
    .where(eq(notificationDeliveries.runId, runId));
  return new Map(rows.map(({ state, address }) => [address ?? '', state]));
};

it(
  'loses no message and repeats at most one (whose result is not in the delivery log) if it is killed',
  async () => {
    let repeated = 0;
    for (let round = 0; round < rounds; round += 1) {
      sink.received.length = 0;
      if (!child) await start();
      // Use a fixed sequence that reaches each message, both before and after its reply.
      const message = 1 + ((seed + round * 7) % recipientCount);
      const killed = killAt(message, round % 2 === 0 ? -1 : round % 40);
      const run = await platform.db.transaction(tx =>
        startRun(tx, notificationId, { scheduledAt: new Date(Date.UTC(2026, 0, 1, 0, round)), trigger: 'schedule' }),
      );
      const runId = run?.id ?? 0;
      await killed;
      sink.onMessage = () => null;
      const states = await statesOf(runId);
      await start();
      await vi.waitFor(
        async () => {
          const [stored] = await platform.db.select().from(notificationRuns).where(eq(notificationRuns.id, runId));
          expect(stored?.state).toBe('done');
        },
        { timeout: waitTimeoutMs, interval: 20 },
      );
      const copies = new Map<string, string[]>();
      for (const mail of sink.received) {
        const [address = ''] = mail.to;
        copies.set(address, [...(copies.get(address) ?? []), headerOf(mail, 'Message-ID') ?? '']);
      }
      expect(copies.size, `round ${round}`).toBe(recipientCount);
      expect(new Set((await statesOf(runId)).values())).toEqual(new Set(['sent']));
      const twice = [...copies].filter(([, ids]) => ids.length > 1);
      expect(twice.length, `round ${round}`).toBeLessThanOrEqual(1);
      for (const [address, ids] of twice) {
        expect(states.get(address)).toBe('handing-over');
        expect(ids).toHaveLength(2);
        expect(new Set(ids).size).toBe(1);
        repeated += 1;
      }
    }
    // A process that is killed before the reply cannot know that the message was accepted.
    expect(repeated).toBeGreaterThanOrEqual(Math.ceil(rounds / 2));
  },
  rounds * 2 * waitTimeoutMs,
);
