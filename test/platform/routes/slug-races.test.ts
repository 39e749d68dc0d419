import { afterAll, beforeAll, expect, test } from 'vitest';
import { raceOnSlug } from './slug-race-rounds.js';
import { startTestPlatform, type TestPlatform } from './test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const rounds = 200;
const atOnce = 4;

test('writers racing on one slug: one winner, the others told as the rules say (spec 4.3, 4.5)', {
  timeout: 120_000,
}, async () => {
  let next = 0;
  const lane = async () => {
    while (next < rounds) await raceOnSlug(platform, next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  expect(next).toBe(rounds);
});
