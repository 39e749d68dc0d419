import { Cron } from 'croner';
import type { ScheduleType } from '../../contract/notifications.js';
import { PlatformError } from '../errors.js';
import { BoundedCache } from '../runtime/bounded-cache.js';

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

/** The fields of a schedule as a caller sends them; null and absent both mean "not given". */
export interface ScheduleInput {
  readonly scheduleType?: ScheduleType | null | undefined;
  readonly minute?: number | null | undefined;
  readonly hour?: number | null | undefined;
  readonly dayOfWeek?: number | null | undefined;
  readonly dayOfMonth?: number | null | undefined;
  readonly customCron?: string | null | undefined;
}

const partNames = ['minute', 'hour', 'dayOfWeek', 'dayOfMonth'] as const;
type Part = (typeof partNames)[number];
type Parts = Readonly<Record<Part, number>>;

const defaults: Parts = { minute: 0, hour: 0, dayOfWeek: 1, dayOfMonth: 1 };

/** The kinds of schedule that are made of parts, with the parts that each has and how they are written. */
const kinds: Readonly<
  Record<Exclude<ScheduleType, 'CUSTOM'>, { readonly parts: readonly Part[]; cron(parts: Parts): string }>
> = {
  HOURLY: { parts: ['minute'], cron: ({ minute }) => `${minute} * * * *` },
  DAILY: { parts: ['minute', 'hour'], cron: ({ minute, hour }) => `${minute} ${hour} * * *` },
  WEEKLY: {
    parts: ['minute', 'hour', 'dayOfWeek'],
    cron: ({ minute, hour, dayOfWeek }) => `${minute} ${hour} * * ${dayOfWeek}`,
  },
  MONTHLY: {
    parts: ['minute', 'hour', 'dayOfMonth'],
    cron: ({ minute, hour, dayOfMonth }) => `${minute} ${hour} ${dayOfMonth} * *`,
  },
};

/**
 * The cron expression of a schedule.
 * @param stored - what the notification has: its parts stay where none are given.
 * @throws PlatformError 400 that names the field
 */
export function cronOf(input: ScheduleInput, stored?: string): string {
  const before = stored === undefined ? null : readParts(stored);
  const type = input.scheduleType ?? (input.customCron == null ? before?.type : 'CUSTOM') ?? 'CUSTOM';
  const { parts, cron } = type === 'CUSTOM' ? { parts: [], cron: null } : kinds[type];
  for (const name of partNames) {
    if (input[name] == null || parts.some(part => part === name)) continue;
    throw new PlatformError(400, `body.${name}: does not go with a schedule of type ${type}`);
  }
  if (!cron) return customCron(input, stored);
  if (input.customCron != null) throw new PlatformError(400, 'body.customCron: goes with scheduleType CUSTOM only');
  const pick = (name: Part) => input[name] ?? before?.parts[name] ?? defaults[name];
  return cron({
    minute: pick('minute'),
    hour: pick('hour'),
    dayOfWeek: pick('dayOfWeek'),
    dayOfMonth: pick('dayOfMonth'),
  });
}

function customCron({ customCron: given }: ScheduleInput, stored: string | undefined): string {
  const cron = given?.trim().split(/\s+/).join(' ') ?? stored;
  if (cron === undefined) throw new PlatformError(400, 'body.customCron: is required if scheduleType is CUSTOM');
  const problem = checkCron(cron);
  if (problem !== null) throw new PlatformError(400, `body.customCron: ${problem}`);
  return cron;
}

/** The parts of an expression that one of the kinds has written; null of every other one. */
function readParts(cron: string): { readonly type: ScheduleType; readonly parts: Partial<Parts> } | null {
  const fields = /^(\d+) (\d+|\*) (\d+|\*) \* (\d|\*)$/.exec(cron)?.slice(1);
  if (!fields) return null;
  const [minute, hour, dayOfMonth, dayOfWeek] = fields.map(field => (field === '*' ? undefined : Number(field)));
  const given = { minute, hour, dayOfMonth, dayOfWeek };
  const names = partNames.filter(name => given[name] !== undefined);
  const type = (['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY'] as const).find(
    kind => kinds[kind].parts.join() === names.join(),
  );
  if (!type) return null;
  const parts = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { type, parts };
}

/** What the values of a field are called. */
interface FieldWords {
  readonly unit: string;
  readonly name: (value: string) => string;
}

const months = 'January February March April May June July August September October November December'.split(' ');
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** Names by number or by the first letters, as cron takes both. */
const named = (names: readonly string[], first: number) => (value: string) =>
  (/^\d+$/.test(value)
    ? names[(Number(value) - first) % names.length]
    : names.find(name => name.toLowerCase().startsWith(value.toLowerCase()))) ?? value;

const asIs = (value: string) => value;
const minuteWords: FieldWords = { unit: 'minute', name: asIs };
const hourWords: FieldWords = { unit: 'hour', name: asIs };
const dayWords: FieldWords = { unit: 'day', name: asIs };
const monthWords: FieldWords = { unit: 'month', name: named(months, 1) };
const weekdayWords: FieldWords = { unit: 'day of the week', name: named(days, 0) };

/** A cron expression of five fields in plain English, like "At 09:05 on Monday (Europe/Berlin)". */
export function describeCron(cron: string, timezone: string): string {
  const [minute = '*', hour = '*', dayOfMonth = '*', month = '*', weekday = '*'] = cron.split(' ');
  const time = timeOf(minute, hour);
  const day = dayOf(dayOfMonth, weekday);
  // Of what comes all day long it goes without saying that it comes every day.
  const when = day ?? (hour === '*' || isStepped(hour) ? '' : ' every day');
  const inMonth = month === '*' ? '' : ` ${phrase(month, monthWords, 'in ')}`;
  return `${time}${when}${inMonth} (${timezone})`;
}

const isNumber = (value: string) => /^\d+$/.test(value);
const isStepped = (value: string) => value.startsWith('*/');
const twoDigits = (value: string) => value.padStart(2, '0');

function timeOf(minute: string, hour: string): string {
  const hours = hour.split(',');
  if (isNumber(minute) && hours.every(isNumber)) {
    return `At ${list(hours.map(each => `${twoDigits(each)}:${twoDigits(minute)}`))}`;
  }
  const minutes = capital(phrase(minute, minuteWords, 'at minute '));
  if (hour !== '*') return `${minutes} ${phrase(hour, hourWords, 'of hour ')}`;
  return minute === '*' || isStepped(minute) ? minutes : `${minutes} of every hour`;
}

/** Where both are given either of them counts, as in every cron. */
function dayOf(dayOfMonth: string, weekday: string): string | null {
  const parts = [
    dayOfMonth === '*' ? [] : [`${phrase(dayOfMonth, dayWords, 'on day ')} of the month`],
    weekday === '*' ? [] : [phrase(weekday, weekdayWords, 'on ')],
  ].flat();
  return parts.length === 0 ? null : ` ${parts.join(' or ')}`;
}

/** @param before - what stands before values: "at minute 5", but "every 5 minutes". */
function phrase(field: string, { unit, name }: FieldWords, before: string): string {
  const items = field.split(',').map(item => {
    const [range = '', step] = item.split('/');
    const [from = '', to] = range.split('-');
    const values = to === undefined ? name(from) : `${name(from)} through ${name(to)}`;
    if (step === undefined) return range === '*' ? `every ${unit}` : values;
    const every = step === '1' ? `every ${unit}` : `every ${step} ${plural(unit)}`;
    return range === '*' ? every : `${every} from ${values}`;
  });
  return `${items[0]?.startsWith('every ') ? '' : before}${list(items)}`;
}

const plural = (unit: string) => (unit.startsWith('day ') ? unit.replace('day', 'days') : `${unit}s`);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
