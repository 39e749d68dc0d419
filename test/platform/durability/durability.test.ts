import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliCommand } from '../../cli/cli-command.js';
import { casesAtDepth } from '../../property.js';
import { CrashHost, victims } from './crash-host.js';
import { crashRounds } from './crash-rounds.js';

/** Number of kill rounds: at least five per run, with all kinds. */
const rounds = casesAtDepth(15, 5);

describe('a platform in a separate folder', () => {
  let host: CrashHost;

  beforeAll(async () => {
    host = await CrashHost.start(cliCommand);
  });
  afterAll(() => host?.stop());

  it('has a database that syncs acknowledged writes to disk', async () => {
    const client = await host.connect();
    const settings = ['fsync', 'synchronous_commit', 'full_page_writes'];
    const { rows } = await client.query('select name, setting from pg_settings where name = any($1) order by name', [
      settings,
    ]);
    await client.end();
    expect(rows).toEqual(settings.toSorted().map(name => ({ name, setting: 'on' })));
  });

  it(
    'loses, duplicates and splits no write if it or its database is killed, and adopts a running database',
    async () => {
      const report = await crashRounds(host, { rounds, writesPerRound: 200, writers: 8 });
      expect(report.faults).toEqual([]);
      expect(report.acknowledged).toBeGreaterThan(300);
      expect(new Set(report.crashes.map(({ victim }) => victim))).toEqual(new Set(victims));
      expect(report.crashes).toHaveLength(rounds);
    },
    rounds * 60_000,
  );
});
