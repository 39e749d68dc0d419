import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { Answer } from '../test-platform.js';
import { type Crash, type CrashHost, type Victim, victims } from './crash-host.js';
import { differences, type Facts, readFacts } from './facts.js';
import { findOrphans } from './orphans.js';
import { type Write, Writer } from './writer.js';

/** What whoever wrote knows of a write: it was acknowledged, or nobody knows what became of it. */
type Outcome = 'acknowledged' | 'unknown';

interface Entry {
  /** Of the request, and of what it writes. */
  readonly label: string;
  readonly write: Write;
  readonly outcome: Outcome;
}

/** What came of rounds of crashes. */
export interface CrashReport {
  /** What was lost, doubled, half applied or orphaned, or refused in a way that is none; in words. */
  readonly faults: readonly string[];
  readonly acknowledged: number;
  /** Writes whose answer was lost in a crash, or that were told that the platform is away. */
  readonly unknown: number;
  readonly crashes: readonly Crash[];
}

/** How much is written, and how often it is broken off. */
export interface CrashPlan {
  readonly rounds: number;
  /** Of all writers together. */
  readonly writesPerRound: number;
  readonly writers: number;
}

/** Longest that a job stays with a process that is gone, and a bit more. */
const jobPatienceMs = 60_000;

/**
 * Writes, and kills in the midst of it, by turns the platform, its database and both; then compares what the database holds with what was
 * acknowledged. The moments are by chance, for real: no seed could repeat them.
 */
export async function crashRounds(
  host: CrashHost,
  { rounds, writesPerRound, writers }: CrashPlan,
): Promise<CrashReport> {
  await host.ok('PUT', '/api/v1/app-config', { embedding: { enableDashboardComments: true } });
  const lanes = await Promise.all(Array.from({ length: writers }, (_, index) => Writer.open(host, index)));
  const client = await host.connect();
  const start = await readFacts(client);
  await client.end();
  const journal: Entry[] = [];
  const crashes: Crash[] = [];
  const faults = new Map<string, string>();
  for (let round = 0; round < rounds; round++) {
    const { entries, refusals, crash } = await writeThroughCrash(host, lanes, round, writesPerRound);
    journal.push(...entries);
    crashes.push(crash);
    const found = [...refusals, ...judgeCrash(crash), ...(await judge(host, start, journal))];
    // What went wrong stays wrong: it is told of the round that showed it.
    for (const fault of found) if (!faults.has(fault)) faults.set(fault, `round ${round}, ${crash.victim} killed`);
  }
  for (const fault of await unfinishedJobs(host)) faults.set(fault, 'in the end');
  const acknowledged = journal.filter(({ outcome }) => outcome === 'acknowledged').length;
  const told = [...faults].map(([fault, when]) => `${when}: ${fault}`);
  return { faults: told, acknowledged, unknown: journal.length - acknowledged, crashes };
}

async function writeThroughCrash(host: CrashHost, lanes: readonly Writer[], round: number, writes: number) {
  const victim = victims[round % victims.length] ?? 'both';
  const killAt = Math.floor(writes * (0.1 + 0.8 * Math.random()));
  const entries: Entry[] = [];
  const refusals: string[] = [];
  const kills: Promise<Crash>[] = [];
  let next = 0;
  const work = async (lane: Writer) => {
    for (let number = next++; number < writes; number = next++) {
      if (number === killAt) kills.push(killSoon(host, victim));
      await host.ready;
      const label = `crash-${round}-${number}`;
      const write = lane.next(label);
      const answer = await host.call(write.method, write.path, { ...write, requestId: label }).catch(() => null);
      const outcome = outcomeOf(answer);
      entries.push({ label, write, outcome: outcome ?? 'unknown' });
      if (outcome === 'acknowledged') write.learn?.(answer?.body);
      if (outcome === null) refusals.push(`${label} ${write.operation}: ${answer?.status} ${answer?.body?.message}`);
    }
  };
  await Promise.all(lanes.map(work));
  const [crash] = await Promise.all(kills);
  if (!crash) throw new Error('Nothing was killed.');
  return { entries, refusals, crash };
}

function killSoon(host: CrashHost, victim: Victim): Promise<Crash> {
  const crash = setTimeout(20 * Math.random()).then(() => host.kill(victim));
  // Whoever writes hears of what does not come up again, too.
  crash.catch(() => undefined);
  return crash;
}

/** Null for an answer that nobody should get: writers are in nobody's way, and a platform without a database says so. */
function outcomeOf(answer: Answer | null): Outcome | null {
  if (answer === null || answer.status === 503) return 'unknown';
  return answer.status < 300 ? 'acknowledged' : null;
}

/** What a killed platform leaves behind is adopted; a killed database is started anew. */
function judgeCrash({ victim, isSameServer }: Crash): string[] {
  if (isSameServer === (victim === 'platform')) return [];
  return [isSameServer ? 'the database was not killed' : 'the database that was left behind was not adopted'];
}

async function judge(host: CrashHost, start: Facts, journal: readonly Entry[]): Promise<string[]> {
  const client = await host.connect();
  try {
    const { faults, applied } = await readAudit(client, journal);
    const expected: Facts = new Map(start);
    for (const { write } of applied) write.effect(expected);
    return [...faults, ...differences(expected, await readFacts(client)), ...(await findOrphans(client))];
  } finally {
    await client.end();
  }
}

/** By the audit log: what was done, in its order. Each acknowledged write stands there exactly once, each other one once at most. */
async function readAudit(client: pg.Client, journal: readonly Entry[]) {
  const { rows } = await client.query<{ label: string; operation: string; count: number; place: string }>(
    `select request_id as label, min(operation) as operation, count(*)::int as count, min(id) as place
      from audit_log where request_id like 'crash-%' group by request_id`,
  );
  const found = new Map(rows.map(row => [row.label, row]));
  const faults: string[] = [];
  const applied: { readonly write: Write; readonly place: number }[] = [];
  for (const { label, write, outcome } of journal) {
    const { count, operation, place } = found.get(label) ?? { count: 0, operation: write.operation, place: '0' };
    const isLost = outcome === 'acknowledged' && count === 0;
    if (isLost || count > 1 || operation !== write.operation) {
      faults.push(`${label} ${write.operation}, ${outcome}: ${count} entries of ${operation} in the audit log`);
    }
    if (count > 0) applied.push({ write, place: Number(place) });
  }
  return { faults, applied: applied.toSorted((one, other) => one.place - other.place) };
}

/** Jobs of a process that was killed are somebody else's once their lease has run out; in the end none is left. */
async function unfinishedJobs(host: CrashHost): Promise<string[]> {
  const client = await host.connect();
  try {
    const end = Date.now() + jobPatienceMs;
    for (;;) {
      const { rows } = await client.query<{ jobs: number; running: number }>(
        `select (select count(*) from jobs)::int as jobs,
          (select count(*) from transform_syncs where status = 'RUNNING')::int as running`,
      );
      const { jobs = 0, running = 0 } = rows[0] ?? {};
      if (jobs === 0 && running === 0) return [];
      if (Date.now() > end) return [`${jobs} jobs and ${running} runs were never finished`];
      await setTimeout(50);
    }
  } finally {
    await client.end();
  }
}
