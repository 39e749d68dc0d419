import { afterAll, beforeAll, expect, test } from 'vitest';
import { raceForPublicId } from './report-race.js';
import { startTestPlatform, type TestPlatform } from './test-platform.js';

const rounds = 200;
let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.withConnection(client =>
    client.query(`insert into deployments (id, name, creation_step) values (2, 'other', 'ready')`),
  );
});
afterAll(() => platform.stop());

test(`two writers race for one publicId, ${rounds} rounds: one winner, the other told so (spec 4.2, 7)`, {
  timeout: 120_000,
}, async () => {
  for (let round = 0; round < rounds; round++) await raceForPublicId(platform, round);
  await platform.withConnection(async client => {
    const { rows } = await client.query(
      `select count(*)::int, count(distinct public_id)::int as ids from reports where public_id like 'Race%'`,
    );
    expect(rows[0].count).toBe(rows[0].ids);
  });
});
