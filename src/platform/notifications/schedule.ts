import type { ScheduleType } from '../../contract/notifications.js';
import { PlatformError } from '../errors.js';
import { checkCron } from './next-run.js';

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
  if (cron === undefined) throw new PlatformError(400, 'body.customCron: is needed with scheduleType CUSTOM');
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
