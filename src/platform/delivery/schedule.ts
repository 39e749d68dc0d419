import { Cron } from 'croner';
import type { ScheduleType } from '../../contract/notifications.js';
import { PlatformError } from '../errors.js';
import { BoundedCache } from '../runtime/bounded-cache.js';

/**
 * Matches `*`, a value, a range or a step. Nicknames and extensions are rejected, because other schedulers do not
 * support them.
 */
const field = /^(\*|(\d{1,2}|[A-Za-z]{3})(-(\d{1,2}|[A-Za-z]{3}))?)(\/\d{1,2})?$/;

/** Cache of next runs. Computing one takes a millisecond, and the result is valid until the time of the run. */
const nextRuns = new BoundedCache<Date | null>(2_000_000);

/** Returns the problem of a cron expression, or `null` if it is valid. */
export function checkCron(cron: string): string | null {
  const fields = cron.split(' ');
  if (fields.length !== 5) {
    return 'must have five fields: minute, hour, day of the month, month, day of the week';
  }
  if (!fields.every(each => each.split(',').every(item => field.test(item)))) {
    return 'each field must be a value, a range (1-5), a list (1,15), a step (*/10) or *';
  }
  try {
    return nextRun(cron, 'UTC', new Date()) === null ? 'has a date that does not exist' : null;
  } catch {
    return 'has a value that is out of range for its field';
  }
}

/** Returns true for the name of a time zone, such as Europe/Berlin or UTC. */
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
 * Returns the first run after `now` of an expression in a time zone, or `null` if it never runs. At a daylight-saving
 * change, a run at a skipped local time is an hour later, and a run at a repeated local time takes place once.
 */
export function nextRun(cron: string, timezone: string, now: Date): Date | null {
  const key = `${timezone} ${cron}`;
  const cached = nextRuns.find(key);
  if (cached && cached.storedAt <= now.getTime() && (cached.value === null || cached.value > now)) return cached.value;
  const next = new Cron(cron, { timezone, mode: '5-part', paused: true }).nextRun(now);
  nextRuns.set(key, next, 100, now.getTime());
  return next;
}

/** The fields of a schedule in a request. Both `null` and absent mean "not set". */
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

/** The parts and the cron expression of each schedule type except CUSTOM. */
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
 * Returns the cron expression of a schedule.
 * @param stored - the current expression, whose parts are used for fields that the request does not set.
 * @throws PlatformError 400 with the name of the field
 */
export function cronOf(input: ScheduleInput, stored?: string): string {
  const before = stored === undefined ? null : readParts(stored);
  const type = input.scheduleType ?? (input.customCron == null ? before?.type : 'CUSTOM') ?? 'CUSTOM';
  const { parts, cron } = type === 'CUSTOM' ? { parts: [], cron: null } : kinds[type];
  for (const name of partNames) {
    if (input[name] == null || parts.some(part => part === name)) continue;
    throw new PlatformError(400, `body.${name}: is not supported for a schedule of type ${type}`);
  }
  if (!cron) return customCron(input, stored);
  if (input.customCron != null)
    throw new PlatformError(400, 'body.customCron: is supported only if scheduleType is CUSTOM');
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

/** Returns type and parts of an expression, such as `{scheduleType: 'DAILY', minute: 0, hour: 9}`. */
export function scheduleOf(cron: string): Partial<Parts> & { readonly scheduleType: ScheduleType } {
  const { type = 'CUSTOM', parts = {} } = readParts(cron) ?? {};
  return { scheduleType: type, ...parts };
}

/** Parses an expression into the type and parts that generate it. Returns `null` for a custom expression. */
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

/** English names for the values of a cron field. */
interface FieldWords {
  readonly unit: string;
  readonly name: (value: string) => string;
}

const months = 'January February March April May June July August September October November December'.split(' ');
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** Maps a number or a three-letter abbreviation, both valid in cron, to its full name. */
const nameValue = (names: readonly string[], first: number) => (value: string) =>
  (/^\d+$/.test(value)
    ? names[(Number(value) - first) % names.length]
    : names.find(name => name.toLowerCase().startsWith(value.toLowerCase()))) ?? value;

const asIs = (value: string) => value;
const minuteWords: FieldWords = { unit: 'minute', name: asIs };
const hourWords: FieldWords = { unit: 'hour', name: asIs };
const dayWords: FieldWords = { unit: 'day', name: asIs };
const monthWords: FieldWords = { unit: 'month', name: nameValue(months, 1) };
const weekdayWords: FieldWords = { unit: 'day of the week', name: nameValue(days, 0) };

/** Describes a five-field cron expression in English, such as "At 09:05 on Monday (Europe/Berlin)". */
export function describeCron(cron: string, timezone: string): string {
  const [minute = '*', hour = '*', dayOfMonth = '*', month = '*', weekday = '*'] = cron.split(' ');
  const time = timeOf(minute, hour);
  const day = dayOf(dayOfMonth, weekday);
  // If the schedule runs all day, "every day" is omitted, because it is implied.
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

/**
 * Describes the days of a schedule. If both fields are set, a day matches if either of them matches, as in standard
 * cron.
 */
function dayOf(dayOfMonth: string, weekday: string): string | null {
  const parts = [
    dayOfMonth === '*' ? [] : [`${phrase(dayOfMonth, dayWords, 'on day ')} of the month`],
    weekday === '*' ? [] : [phrase(weekday, weekdayWords, 'on ')],
  ].flat();
  return parts.length === 0 ? null : ` ${parts.join(' or ')}`;
}

/**
 * Describes a cron field in words.
 * @param before - prefix for single values ("at" in "at minute 5"); omitted in phrases that start with "every" ("every
 * 5 minutes").
 */
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
