import { expect, test } from 'vitest';
import { checkLimits, isMemorySize, type QueryLimits } from '../../../src/platform/data/query-limits.js';

test.each(['1GB', '512MB', '1.5 GiB', '80kb', '2TiB'])('%s is a size', text => {
  expect(isMemorySize(text)).toBe(true);
});

test.each(['', '0', '0MB', '-1GB', '80%', '1', 'GB', '1 G', "1GB'", '1GB\n', '9'.repeat(20)])(
  '%j is not a size',
  text => {
    expect(isMemorySize(text)).toBe(false);
  },
);

test('accepts limits at their bounds', () => {
  checkLimits({});
  checkLimits({ continueWaitMs: 1, queryTimeoutMs: 3_600_000, memoryLimit: '1GB', cacheBytes: 0, queueLimit: 100_000 });
});

test.each<[QueryLimits, string]>([
  [{ continueWaitMs: 0 }, 'continueWaitMs must be a whole number from 1 to 120000.'],
  [{ continueWaitMs: 1.5 }, 'continueWaitMs'],
  [{ queryTimeoutMs: Number.NaN }, 'queryTimeoutMs'],
  [{ cacheBytes: -1 }, 'cacheBytes'],
  [{ queueLimit: Number.POSITIVE_INFINITY }, 'queueLimit'],
  [{ memoryLimit: 'all' }, 'memoryLimit must be a size like 512MB or 2GB.'],
])('rejects %j by name', (limits, sentence) => {
  expect(() => checkLimits(limits)).toThrow(sentence);
});
