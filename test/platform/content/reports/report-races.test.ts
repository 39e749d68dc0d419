import { afterAll, beforeAll, expect, test } from 'vitest';
import { casesAtDepth } from '../../../property.js';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';
import { raceForPublicId } from './report-race-rounds.js';

// Split into four tests, because all rounds in one test can reach its time limit on a busy machine.
const rounds = casesAtDepth(50);
let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.withConnection(client =>
    client.query(`insert into deployments (id, name, creation_step) values (2, 'other', 'ready')`),
  );
});
afterAll(() => platform.stop());

test.each([0, 1, 2, 3])(
  'one of two concurrent writers for one publicId succeeds, the other gets a conflict (spec 4.2, 7), part %i',
  async part => {
    for (let round = part * rounds; round < (part + 1) * rounds; round++) await raceForPublicId(platform, round);
    await platform.withConnection(async client => {
      const { rows } = await client.query(
        `select count(*)::int, count(distinct public_id)::int as ids from reports where public_id like 'Race%'`,
      );
      expect(rows[0].count).toBe(rows[0].ids);
    });
  },
);
