import { describe, expect, it } from 'vitest';
import { wallClockDate } from '../../../src/report/dates/wall-clock.js';

describe('wallClockDate', () => {
  it.each([
    ['2001-01-01T00:00:00.000', '2001-01-01T00:00:00.000Z'],
    ['2001-01-01', '2001-01-01T00:00:00.000Z'],
    ['2024-02-29 23:59:59', '2024-02-29T23:59:59.000Z'],
    ['2024-06-01T12:30:15.123456', '2024-06-01T12:30:15.123Z'],
    ['2024-06-01T12:30', '2024-06-01T12:30:00.000Z'],
  ])('interprets the fields of %s as UTC', (text, iso) => {
    expect(wallClockDate(text)?.toISOString()).toBe(iso);
  });

  it.each(['2024-06-01T12:00:00Z', '2024-06-01T12:00:00.000+05:30', '2024-06-01T12:00:00-0800'])(
    'drops the offset of %s instead of applying it',
    text => {
      expect(wallClockDate(text)?.toISOString()).toBe('2024-06-01T12:00:00.000Z');
    },
  );

  it.each(['', 'yesterday', '2024-13-01', '2023-02-29', '2024', '1717200000000', '2024-06-01T'])('rejects %j', text => {
    expect(wallClockDate(text)).toBeNull();
  });
});
