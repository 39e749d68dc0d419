import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { Answer } from '../test-platform.js';
import { type Crash, type CrashHost, type Victim, victims } from './crash-host.js';
import { differences, type Facts, readFacts, readFiles } from './facts.js';
import { findOrphans } from './orphans.js';
import { type Write, Writer } from './writer.js';

/** Outcome of a write as known to its writer: acknowledged, or unknown. */
type Outcome = 'acknowledged' | 'unknown';

interface Entry {
  /** Id of the request and name of the written content. */
  readonly label: string;
  readonly write: Write;
  readonly outcome: Outcome;
}

/** Result of the crash rounds. */
export interface CrashReport {
  /** Descriptions of lost, duplicated, partial or orphaned writes, and of unexpected error responses. */
  readonly faults: readonly string[];
  readonly acknowledged: number;
  /** Writes without a response because of a crash, or with a 503. */
  readonly unknown: number;
  readonly crashes: readonly Crash[];
}

/** Number of writes and crashes. */
export interface CrashPlan {
  readonly rounds: number;
  /** Total of all writers. */
  readonly writesPerRound: number;
  readonly writers: number;
}

/** Kinds of jobs that are always pending. */
const recurringKinds = ['clean-up', 'content-check', 'notification-schedule'];

/** Maximum time until the job of a crashed process is taken over, plus a margin. */
const jobPatienceMs = 60_000;

/**
 * Writes while killing the platform, its database or both in turn. Then compares the database with the acknowledged
 * writes. The kill times are random and cannot be reproduced from a seed.
 */
export async function crashRounds(
  host: CrashHost,
  { rounds, writesPerRound, writers }: CrashPlan,
): Promise<CrashReport> {
  await host.ok('PUT', '/api/v1/app-config', { embedding: { enableDashboardComments: true } });
  const { id: projectId } = await host.ok('POST', '/build/api/v1/deployments', { name: 'crashed' });
  const openWriters = await Promise.all(
    Array.from({ length: writers }, (_, index) => Writer.open(host, index, projectId)),
  );
  const read = readerOf(host, openWriters, projectId);
  const client = await host.connect();
  const start = await read(client);
  await client.end();
  const journal: Entry[] = [];
  const crashes: Crash[] = [];
  const faults = new Map<string, string>();
  for (let round = 0; round < rounds; round++) {
    const { entries, refusals, crash } = await writeThroughCrash(host, openWriters, round, writesPerRound);
    journal.push(...entries);
    crashes.push(crash);
    const found = [...refusals, ...judgeCrash(crash), ...(await judge(host, { start, read }, journal))];
    // A fault persists in later rounds. Report it only for the round in which it appeared.
    for (const fault of found) if (!faults.has(fault)) faults.set(fault, `round ${round}, ${crash.victim} killed`);
  }
  for (const fault of await unfinishedJobs(host)) faults.set(fault, 'in the end');
  const acknowledged = journal.filter(({ outcome }) => outcome === 'acknowledged').length;
  const lines = [...faults].map(([fault, when]) => `${when}: ${fault}`);
  return { faults: lines, acknowledged, unknown: journal.length - acknowledged, crashes };
}

async function writeThroughCrash(host: CrashHost, openWriters: readonly Writer[], round: number, writes: number) {
  const victim = victims[round % victims.length] ?? 'both';
  const killAt = Math.floor(writes * (0.1 + 0.8 * Math.random()));
  const entries: Entry[] = [];
  const refusals: string[] = [];
  const kills: Promise<Crash>[] = [];
  let next = 0;
  const work = async (writer: Writer) => {
    for (let number = next++; number < writes; number = next++) {
      if (number === killAt) kills.push(killSoon(host, victim));
      await host.ready;
      const label = `crash-${round}-${number}`;
      const write = writer.next(label);
      const answer = await host.call(write.method, write.path, { ...write, requestId: label }).catch(() => null);
      const outcome = outcomeOf(answer);
      entries.push({ label, write, outcome: outcome ?? 'unknown' });
      if (outcome === 'acknowledged') write.learn?.(answer?.body);
      if (outcome === null) refusals.push(`${label} ${write.operation}: ${answer?.status} ${answer?.body?.message}`);
    }
  };
  await Promise.all(openWriters.map(work));
  const [crash] = await Promise.all(kills);
  if (!crash) throw new Error('Nothing was killed.');
  return { entries, refusals, crash };
}

function killSoon(host: CrashHost, victim: Victim): Promise<Crash> {
  const crash = setTimeout(20 * Math.random()).then(() => host.kill(victim));
  // Writers also notice if a process does not start again.
  crash.catch(() => undefined);
  return crash;
}

/**
 * Returns `null` for an unexpected response. Writers do not conflict, and a platform without a database returns 503.
 */
function outcomeOf(answer: Answer | null): Outcome | null {
  if (answer === null || answer.status === 503) return 'unknown';
  return answer.status < 300 ? 'acknowledged' : null;
}

/** A database left running by a killed platform must be adopted. A killed database must be restarted. */
function judgeCrash({ victim, isSameServer }: Crash): string[] {
  if (isSameServer === (victim === 'platform')) return [];
  return [isSameServer ? 'the database was not killed' : 'the database that was left behind was not adopted'];
}

type ReadFacts = (client: pg.Client) => Promise<Facts>;

/** Returns a function that reads all facts: those of the database, and the files of the writers. */
function readerOf(host: CrashHost, openWriters: readonly Writer[], projectId: number): ReadFacts {
  return async client => {
    const facts = await readFacts(client);
    const branches = openWriters.map(({ name }) => name);
    await readFiles(path => host.ok('GET', path), branches, projectId, facts);
    return facts;
  };
}

async function judge(
  host: CrashHost,
  { start, read }: { readonly start: Facts; readonly read: ReadFacts },
  journal: readonly Entry[],
): Promise<string[]> {
  const client = await host.connect();
  try {
    const { faults, applied } = await readAudit(client, journal);
    const expected: Facts = new Map(start);
    for (const { write } of applied) write.effect(expected);
    return [...faults, ...differences(expected, await read(client)), ...(await findOrphans(client))];
  } finally {
    await client.end();
  }
}

/**
 * Reads the applied writes in order from the audit log, which must contain each acknowledged write exactly once and
 * each other write at most once.
 */
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

/** Another process takes over the jobs of a killed process when their lease expires, so that none remain. */
async function unfinishedJobs(host: CrashHost): Promise<string[]> {
  const client = await host.connect();
  try {
    const end = Date.now() + jobPatienceMs;
    for (;;) {
      const { rows } = await client.query<{ jobs: number; running: number }>(
        `select (select count(*) from jobs where kind <> all($1))::int as jobs,
          (select count(*) from transform_syncs where status = 'RUNNING')::int as running`,
        [recurringKinds],
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
