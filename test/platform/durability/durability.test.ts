import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliCommand } from '../../cli/cli-command.js';
import { casesAtDepth } from '../../property.js';
import { CrashHost, victims } from './crash-host.js';
import { crashRounds } from './crash-rounds.js';

/** Kill rounds: every run has at least five, of all kinds. */
const rounds = casesAtDepth(15, 5);

describe('a platform on a folder of its own', () => {
  let host: CrashHost;

  beforeAll(async () => {
    host = await CrashHost.start(cliCommand);
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
    const report = await crashRounds(host, { rounds, writesPerRound: 200, writers: 8 });
    expect(report.faults).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(300);
    expect(new Set(report.crashes.map(({ victim }) => victim))).toEqual(new Set(victims));
    expect(report.crashes).toHaveLength(rounds);
  }, 150_000);
});
