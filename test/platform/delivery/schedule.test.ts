import { describe, expect, it } from 'vitest';
import {
  checkCron,
  cronOf,
  describeCron,
  isTimezone,
  nextRun,
  type ScheduleInput,
} from '../../../src/platform/delivery/schedule.js';
import { PlatformError } from '../../../src/platform/errors.js';

describe('cronOf', () => {
  it.each<[ScheduleInput, string]>([
    [{ scheduleType: 'HOURLY' }, '0 * * * *'],
    [{ scheduleType: 'HOURLY', minute: 15 }, '15 * * * *'],
    [{ scheduleType: 'DAILY', hour: 9, minute: 5 }, '5 9 * * *'],
    [{ scheduleType: 'WEEKLY', hour: 9, dayOfWeek: 0 }, '0 9 * * 0'],
    [{ scheduleType: 'WEEKLY' }, '0 0 * * 1'],
    [{ scheduleType: 'MONTHLY', dayOfMonth: 31, hour: null }, '0 0 31 * *'],
    [{ scheduleType: 'CUSTOM', customCron: ' */15  9-17 * *  MON-FRI ' }, '*/15 9-17 * * MON-FRI'],
    [{ customCron: '0 9 * * *' }, '0 9 * * *'],
  ])('converts %j to %s', (input, cron) => expect(cronOf(input)).toBe(cron));

  it.each<[string, ScheduleInput, string]>([
    ['5 9 * * *', {}, '5 9 * * *'],
    ['5 9 * * *', { hour: 10 }, '5 10 * * *'],
    ['5 9 * * 3', { minute: 0 }, '0 9 * * 3'],
    ['5 9 * * 3', { scheduleType: 'DAILY' }, '5 9 * * *'],
    ['5 9 * * 3', { scheduleType: 'MONTHLY', dayOfMonth: 2 }, '5 9 2 * *'],
    ['5 * * * *', { scheduleType: 'WEEKLY' }, '5 0 * * 1'],
    ['5 9 * * *', { customCron: '0 0 1 1 *' }, '0 0 1 1 *'],
    ['0 0 1 1 *', { scheduleType: 'CUSTOM' }, '0 0 1 1 *'],
    ['0 0 1 1 *', { scheduleType: 'HOURLY' }, '0 * * * *'],
  ])('changes %s by %j to %s', (stored, input, cron) => expect(cronOf(input, stored)).toBe(cron));

  it.each<[ScheduleInput, string, string?]>([
    [{ scheduleType: 'HOURLY', hour: 1 }, 'body.hour'],
    [{ scheduleType: 'DAILY', dayOfWeek: 1 }, 'body.dayOfWeek'],
    [{ scheduleType: 'WEEKLY', dayOfMonth: 1 }, 'body.dayOfMonth'],
    [{ scheduleType: 'DAILY', customCron: '0 9 * * *' }, 'body.customCron'],
    [{ scheduleType: 'CUSTOM' }, 'body.customCron'],
    [{ scheduleType: 'CUSTOM', customCron: '0 9 * * *', minute: 5 }, 'body.minute'],
    [{ scheduleType: 'CUSTOM', customCron: 'soon' }, 'body.customCron'],
    [{ hour: 9 }, 'body.hour', '*/5 * 1 1 *'],
    [{ dayOfWeek: 2 }, 'body.dayOfWeek', '0 9 * * *'],
  ])('rejects %j and names %s', (input, field, stored) => {
    expect(() => cronOf(input, stored)).toThrow(PlatformError);
    expect(() => cronOf(input, stored)).toThrow(`${field}:`);
  });
});

describe('checkCron', () => {
  it.each(['* * * * *', '0 9 * * *', '*/5 0-8,20 1,15 JAN-MAR mon', '0 0 29 2 *', '0 0 1 * 7'])('takes %s', cron =>
    expect(checkCron(cron)).toBeNull(),
  );

  it.each([
    '',
    '@daily',
    '0 9 * *',
    '0 9 * * * *',
    '60 9 * * *',
    '0 24 * * *',
    '0 9 32 * *',
    '0 9 * 13 *',
    '0 9 * * 8',
    '0 9 31 2 *',
    '5-1 * * * *',
    '*/0 * * * *',
    '0 9 L * *',
    '0 9 15W * *',
    '0 9 * * 5#2',
    '? * * * *',
    '+0 9 * * *',
    '0 9 * * __proto__',
    ', * * * *',
  ])('rejects %j', cron => expect(checkCron(cron)).toEqual(expect.any(String)));
});

describe('isTimezone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'Asia/Kolkata', 'Asia/Calcutta'])(
    'takes %s',
    name => expect(isTimezone(name)).toBe(true),
  );

  it.each(['', 'Mars/Olympus', '+01:00', '../etc', 'Europe/Berlin ', 'utc; drop'])('rejects %j', name =>
    expect(isTimezone(name)).toBe(false),
  );
});

describe('nextRun', () => {
  const at = (text: string) => new Date(text);

  it.each([
    ['0 9 * * *', 'UTC', '2026-01-01T09:00:00Z', '2026-01-02T09:00:00.000Z'],
    ['0 9 * * *', 'Europe/Berlin', '2026-07-01T00:00:00Z', '2026-07-01T07:00:00.000Z'],
    ['0 9 * * 1', 'America/New_York', '2026-01-01T00:00:00Z', '2026-01-05T14:00:00.000Z'],
    ['0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    // A skipped local time runs an hour later, a repeated one runs once.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:45:00Z', '2026-10-26T01:30:00.000Z'],
    // The day of the month or the day of the week must match.
    ['0 0 20 * 1', 'UTC', '2026-01-01T00:00:00Z', '2026-01-05T00:00:00.000Z'],
  ])('of %s in %s after %s is %s', (cron, timezone, now, next) => {
    expect(nextRun(cron, timezone, at(now))?.toISOString()).toBe(next);
  });

  it('is recomputed after it has passed, and for an earlier time', () => {
    const next = (now: string) => nextRun('0 12 * * *', 'UTC', at(now))?.toISOString();
    expect(next('2026-01-01T00:00:00Z')).toBe('2026-01-01T12:00:00.000Z');
    expect(next('2026-01-01T11:59:59Z')).toBe('2026-01-01T12:00:00.000Z');
    expect(next('2026-01-01T12:00:00Z')).toBe('2026-01-02T12:00:00.000Z');
    expect(next('2025-06-01T00:00:00Z')).toBe('2025-06-01T12:00:00.000Z');
  });
});

describe('describeCron', () => {
  it.each([
    ['0 * * * *', 'At minute 0 of every hour (UTC)'],
    ['5 9 * * *', 'At 09:05 every day (UTC)'],
    ['0 9 * * 1', 'At 09:00 on Monday (UTC)'],
    ['0 9 * * 7', 'At 09:00 on Sunday (UTC)'],
    ['30 18 31 * *', 'At 18:30 on day 31 of the month (UTC)'],
    ['0 9,12,17 * * MON-FRI', 'At 09:00, 12:00 and 17:00 on Monday through Friday (UTC)'],
    ['* * * * *', 'Every minute (UTC)'],
    ['*/15 * * * *', 'Every 15 minutes (UTC)'],
    ['*/15 9-17 * * 1-5', 'Every 15 minutes of hour 9 through 17 on Monday through Friday (UTC)'],
    ['0 */2 * * *', 'At minute 0 every 2 hours (UTC)'],
    ['0 9 1,15 1-3 *', 'At 09:00 on day 1 and 15 of the month in January through March (UTC)'],
    ['0 9 1 * 1', 'At 09:00 on day 1 of the month or on Monday (UTC)'],
    ['0 9 * dec *', 'At 09:00 every day in December (UTC)'],
  ])('describes %s as "%s"', (cron, text) => expect(describeCron(cron, 'UTC')).toBe(text));
});
