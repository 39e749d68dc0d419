import { afterAll, beforeAll, expect, test } from 'vitest';
import { casesAtDepth } from '../../../property.js';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';
import { raceOnSlug } from './slug-race-rounds.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

// Split into four tests, because all rounds in one test can reach its time limit on a busy machine.
const rounds = casesAtDepth(50);
const atOnce = 4;

test.each([0, 1, 2, 3])(
  'one of several writers for one slug succeeds, the others get the specified error (spec 4.3, 4.5), part %i',
  async part => {
    let next = part * rounds;
    const end = next + rounds;
    const worker = async () => {
      while (next < end) await raceOnSlug(platform, next++);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    expect(next).toBe(end);
  },
);
