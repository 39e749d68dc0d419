import { Cron } from 'croner';
import { BoundedCache } from '../data/bounded-cache.js';

/** `*`, a value, a range, a step: no nicknames and none of the extensions that other schedulers don't know. */
const field = /^(\*|(\d{1,2}|[A-Za-z]{3})(-(\d{1,2}|[A-Za-z]{3}))?)(\/\d{1,2})?$/;

/** Working a moment out takes a millisecond, and it stays the next one until it comes. */
const known = new BoundedCache<Date | null>(2_000_000);

/** What is wrong with a cron expression; null when it can be kept. */
export function checkCron(cron: string): string | null {
  const fields = cron.split(' ');
  if (fields.length !== 5) {
    return 'must have five fields: minute, hour, day of the month, month, day of the week';
  }
  if (!fields.every(each => each.split(',').every(item => field.test(item)))) {
    return 'a field is a value, a range (1-5), a list (1,15), a step (*/10) or *';
  }
  try {
    return nextRun(cron, 'UTC', new Date()) === null ? 'names a day that never comes' : null;
  } catch {
    return 'holds a value that its field does not take';
  }
}

/** True for the name of a time zone, like Europe/Berlin or UTC. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * The first moment after `now` that an expression names in a time zone; null when there is none. A time of day that a change of the
 * clock leaves out comes an hour later, one that it doubles comes once.
 */
export function nextRun(cron: string, timezone: string, now: Date): Date | null {
  const key = `${timezone} ${cron}`;
  const kept = known.find(key);
  if (kept && kept.storedAt <= now.getTime() && (kept.value === null || kept.value > now)) return kept.value;
  const next = new Cron(cron, { timezone, mode: '5-part', paused: true }).nextRun(now);
  known.set(key, next, 100, now.getTime());
  return next;
}
