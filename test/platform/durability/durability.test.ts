import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrashHost, victims } from './crash-host.js';
import { crashRounds } from './crash-rounds.js';

const cli = new URL('../../../src/cli/pa-platform.ts', import.meta.url).pathname;

describe('a platform on a folder of its own', () => {
  let host: CrashHost;

  beforeAll(async () => {
    host = await CrashHost.start(['--import', 'tsx', cli]);
  });
  afterAll(() => host?.stop());

  it('has a database that syncs what it acknowledges', async () => {
    const client = await host.connect();
    const settings = ['fsync', 'synchronous_commit', 'full_page_writes'];
    const { rows } = await client.query('select name, setting from pg_settings where name = any($1) order by name', [
      settings,
    ]);
    await client.end();
    expect(rows).toEqual(settings.toSorted().map(name => ({ name, setting: 'on' })));
  });

  it('loses, doubles and halves no write when it or its database is killed, and adopts the database that is left behind', async () => {
    const report = await crashRounds(host, { rounds: victims.length, writesPerRound: 200, writers: 8 });
    expect(report.faults).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(300);
    expect(report.crashes.map(({ victim }) => victim)).toEqual(victims);
  }, 150_000);
});
