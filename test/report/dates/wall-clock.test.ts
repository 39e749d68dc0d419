import { describe, expect, it } from 'vitest';
import { wallClockDate } from '../../../src/report/dates/wall-clock.js';

describe('wallClockDate', () => {
  it.each([
    ['2001-01-01T00:00:00.000', '2001-01-01T00:00:00.000Z'],
    ['2001-01-01', '2001-01-01T00:00:00.000Z'],
    ['2024-02-29 23:59:59', '2024-02-29T23:59:59.000Z'],
    ['2024-06-01T12:30:15.123456', '2024-06-01T12:30:15.123Z'],
    ['2024-06-01T12:30', '2024-06-01T12:30:00.000Z'],
  ])('puts the fields of %s in UTC', (text, iso) => {
    expect(wallClockDate(text)?.toISOString()).toBe(iso);
  });

  it.each(['2024-06-01T12:00:00Z', '2024-06-01T12:00:00.000+05:30', '2024-06-01T12:00:00-0800'])(
    'drops the zone of %s instead of shifting by it',
    text => {
      expect(wallClockDate(text)?.toISOString()).toBe('2024-06-01T12:00:00.000Z');
    },
  );

  it.each(['', 'yesterday', '2024-13-01', '2023-02-29', '2024', '1717200000000', '2024-06-01T'])(
    'finds no date in %j',
    text => {
      expect(wallClockDate(text)).toBeNull();
    },
  );
});
