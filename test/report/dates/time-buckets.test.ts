import { describe, expect, it } from 'vitest';
import {
  addSpan,
  bucketRange,
  bucketSpan,
  hasDay,
  multiplySpan,
  unitSpan,
  wallText,
  wallTime,
} from '../../../src/report/dates/time-buckets.js';
import { columnOf } from '../fixtures.js';

const moved = (text: string, amount: number, unit: string) => {
  const [time, span] = [wallTime(text), unitSpan(unit)];
  return time === null || !span ? null : wallText(addSpan(time, multiplySpan(span, amount))).slice(0, 10);
};

describe('time', () => {
  it('is moved by units, and past the end of months that are too short', () => {
    expect(moved('2024-01-15', 1, 'month')).toBe('2024-02-15');
    expect(moved('2024-03-31', -1, 'month')).toBe('2024-03-01');
    expect(moved('2024-01-31', 1, 'months')).toBe('2024-03-01');
    expect(moved('2024-02-29', -1, 'year')).toBe('2023-03-01');
    expect(moved('2024-01-01', -1, 'quarter')).toBe('2023-10-01');
    expect(moved('2024-03-01', -1, 'day')).toBe('2024-02-29');
    expect(moved('1969-12-31', -1, 'month')).toBe('1969-12-01');
    expect(moved('2024-01-01', -1, 'week')).toBe('2023-12-25');
    expect(moved('2024-01-01', 1, 'fortnight')).toBeNull();
  });

  it('detects days that a month does not have', () => {
    const has = (text: string, months: number) => hasDay(wallTime(text) ?? 0, { months, milliseconds: 0 });
    expect([has('2024-03-31', -1), has('2024-03-29', -1), has('2023-03-29', -1)]).toEqual([false, true, false]);
    expect([has('2024-02-29', -12), has('2024-02-29', -48)]).toEqual([false, true]);
  });

  it('has the first and last moment of a bucket', () => {
    const range = (member: string, start: string, granularity?: object) => {
      const column = columnOf(member, 'time', granularity);
      const span = bucketSpan(column);
      return span && bucketRange(start, span)?.[1];
    };
    expect(range('o.at.month', '2024-02-01T00:00:00.000')).toBe('2024-02-29T23:59:59.999');
    expect(range('o.at.hour', '2024-02-01T05:00:00.000')).toBe('2024-02-01T05:59:59.999');
    expect(range('o.at.week', '2024-02-26T00:00:00.000')).toBe('2024-03-03T23:59:59.999');
    const half = { granularity: { name: 'half', title: 'half', interval: '6 months' } };
    expect(range('o.at.half', '2024-01-01T00:00:00.000', half)).toBe('2024-06-30T23:59:59.999');
    const odd = { granularity: { name: 'odd', title: 'odd', interval: '1 hour 30 minutes' } };
    expect(range('o.at.odd', '2024-01-01T00:00:00.000', odd)).toBe('2024-01-01T01:29:59.999');
    for (const interval of ['', 'x', '1', '-1 day', '1e9 days', '0 days']) {
      expect(range('o.at.bad', '2024-01-01', { granularity: { name: 'bad', title: 'bad', interval } })).toBeNull();
    }
    expect(range('o.at.month', 'no time')).toBeUndefined();
  });
});
