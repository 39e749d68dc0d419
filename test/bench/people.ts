import { randomBytes, scryptSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgresServer } from '../../src/platform/db/embedded-postgres/postgres-server.js';
import { cpuOf } from './chat-streams.js';
import { startPlatform } from './data-platform.js';
import { type BenchOptions, type Figure, median, millis } from './figures.js';
import { Host } from './platform/host.js';

const provisioned = 10_000;
const connections = 8;
const listed = 100_000;
const pageSize = 100;
const samples = 25;

/** Provisions users by SCIM, pages through a long list, deactivates users on another process, and signs users in. */
export async function* peopleFigures({ note, onStop, profileDirectory }: BenchOptions): AsyncGenerator<Figure, void> {
  const data = await mkdtemp(join(tmpdir(), 'pa-bench-people-'));
  onStop(() => rm(data, { recursive: true, force: true }));
  const first = await startPlatform({ data, profileDirectory, onStop });
  // The second start replaces the admin key, which is then valid for both processes.
  const second = await startPlatform({ data, profileDirectory: null, onStop });
  const host = new Host({ url: first.url, adminKey: second.adminKey });
  const other = new Host(second);
  note('Provisioning users…');
  yield await provision(host);
  yield await deactivate(host, other);
  yield* signIn(host, first.pid, data);
  note('Inserting users…');
  await fill(data);
  yield await pages(host);
  await first.stop();
  await second.stop();
}

async function provision(host: Host): Promise<Figure> {
  let next = 0;
  const begun = performance.now();
  const provisionSome = async () => {
    for (let index = next++; index < provisioned; index = next++) {
      const userName = `directory-${index}@acme.example`;
      const body = { userName, emails: [{ value: userName, primary: true }], externalId: String(index), active: true };
      const { status } = await host.answer('POST', '/api/scim/v2/Users', body);
      if (status !== 201) throw new Error(`User ${index} was not created: ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: connections }, provisionSome));
  const seconds = (performance.now() - begun) / 1000;
  return {
    what: `users provisioned by SCIM per second (${provisioned}, ${connections} requests at a time)`,
    measured: String(Math.round(provisioned / seconds)),
    aim: '≥ 200',
  };
}

/** Measures from the request that deactivates a user to the first rejected request on the other process. */
async function deactivate(host: Host, other: Host): Promise<Figure> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const username = `leaver-${sample}`;
    const { id } = await host.call('POST', '/api/v1/users', { username, email: `${username}@acme.example` });
    const { key } = await host.call('POST', '/api/v1/api-keys', { name: username, userId: id });
    const user = new Host({ url: other.url, adminKey: key });
    await user.call('GET', '/api/v1/users/me');
    const begun = performance.now();
    await host.call('PUT', `/api/v1/users/${id}`, { isDeactivated: true });
    while ((await user.answer('GET', '/api/v1/users/me')).status !== 401);
    times.push(performance.now() - begun);
  }
  return {
    what: 'deactivation until another process rejects the API key of the user',
    measured: millis(median(times)),
    aim: '< 1,000 ms',
  };
}

/**
 * Measures sign-ins with a password whose hash costs almost nothing, because the variance of a real one is larger than
 * the rest of a sign-in.
 */
async function* signIn(host: Host, pid: number, data: string): AsyncGenerator<Figure, void> {
  const password = 'correct horse battery';
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 });
  // A user can sign in only a few times from one network, and 100 users in 5 minutes.
  const emails = Array.from({ length: 75 }, (_, index) => `signer-${index}@acme.example`);
  for (const email of emails) await host.call('POST', '/api/v1/users', { username: email, email });
  await withDatabase(data, client =>
    client.query(`insert into passwords (user_id, hash) select id, $1 from users where username like 'signer-%'`, [
      `scrypt$16$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}`,
    ]),
  );
  const times: number[] = [];
  const before = cpuOf(pid);
  for (const email of emails) {
    const begun = performance.now();
    const response = await fetch(`${host.url}/api/v1/sign-in`, {
      method: 'POST',
      headers: { origin: host.url, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    times.push(performance.now() - begun);
    if (response.status !== 204) throw new Error(`The sign-in returned ${response.status}.`);
  }
  const cpuMs = (cpuOf(pid) - before) / emails.length;
  yield { what: 'sign-in with a password, without its hash', measured: millis(median(times)), aim: '< 10 ms' };
  yield { what: 'CPU time of the platform for it', measured: millis(cpuMs), aim: '< 10 ms' };
}

async function pages(host: Host): Promise<Figure> {
  const read = async (cursor: string | null) => {
    const after = cursor === null ? '' : `&after=${encodeURIComponent(cursor)}`;
    const begun = performance.now();
    const { items, pageInfo } = await host.call('GET', `/api/v1/users?first=${pageSize}${after}`);
    const next: string | null = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    return { ms: performance.now() - begun, count: items.length as number, next };
  };
  let [total, lastCursor, count]: [number, string | null, number] = [0, null, 0];
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof read>> = await read(cursor);
    total += page.count;
    count += 1;
    lastCursor = cursor;
    if (page.next === null) break;
    cursor = page.next;
  }
  if (total < listed) throw new Error(`The list contains ${total} of ${listed} users.`);
  // Alternate, so that other load on the machine affects both.
  const [firstMs, lastMs]: [number[], number[]] = [[], []];
  for (let sample = 0; sample < samples; sample++) {
    firstMs.push((await read(null)).ms);
    lastMs.push((await read(lastCursor)).ms);
  }
  const [begin, end] = [median(firstMs), median(lastMs)];
  return {
    what: `the last of ${count} pages of ${pageSize} users (${millis(end)}) / the first (${millis(begin)})`,
    measured: (end / begin).toFixed(2),
    aim: '1.5',
  };
}

/** Inserts users into the database, because the API would take minutes. */
async function fill(data: string): Promise<void> {
  await withDatabase(data, async client => {
    await client.query(
      `insert into users (username, email, role)
        select 'person-' || n, 'person-' || n || '@acme.example', 'user' from generate_series(1, $1::int) n`,
      [listed],
    );
    await client.query('analyze users');
  });
}

/** Calls `work` with a connection to the database of the platforms. */
async function withDatabase(data: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const server = await startPostgresServer({ directory: join(data, 'postgres') });
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
    await server.stop();
  }
}
