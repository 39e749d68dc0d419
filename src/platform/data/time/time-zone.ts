const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;

const dayMs = 86_400_000;

/** End of the day that a text names, or its start. */
export const DayEdge = { start: 'start', end: 'end' } as const;
/** End of the day that a text names, or its start. */
export type DayEdge = (typeof DayEdge)[keyof typeof DayEdge];

/** A time zone with what it costs to look one up: made once for a query, however many dates stand in it. */
export interface TimeZone {
  /** IANA name as engines know it; it holds letters, digits and `_+-/` only. */
  readonly name: string;
  /** How far clocks are ahead of UTC at an instant; both in milliseconds. */
  offsetAt(instant: number): number;
}

/** Universal time. */
export const utcZone: TimeZone = { name: 'UTC', offsetAt: () => 0 };

const keptTimezones = 100;

/** Finds time zones, and keeps those that were used last: looking one up takes longer than all else of a query. */
export class TimeZones {
  readonly #known = new Map<string, TimeZone>([[utcZone.name, utcZone]]);

  /** The time zone of an IANA name, or undefined where there is none. */
  find(name: string): TimeZone | undefined {
    const known = this.#known.get(name);
    if (known) return known;
    const found = findTimezone(name);
    if (!found) return undefined;
    const oldest = this.#known.keys().next();
    if (this.#known.size >= keptTimezones && !oldest.done) this.#known.delete(oldest.value);
    this.#known.set(name, found);
    return found;
  }
}

/** The time zone of an IANA name, or undefined where there is none. */
export function findTimezone(name: string): TimeZone | undefined {
  if (name === utcZone.name) return utcZone;
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return undefined;
  try {
    const clock = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    return { name: clock.resolvedOptions().timeZone, offsetAt: rememberOffsets(instant => offsetOf(clock, instant)) };
  } catch {
    return undefined;
  }
}

/** Of each time zone: the dates of a dashboard are few, and most of its queries have the same. */
const keptOffsets = 2000;

function rememberOffsets(find: (instant: number) => number): (instant: number) => number {
  const known = new Map<number, number>();
  return instant => {
    const before = known.get(instant);
    if (before !== undefined) return before;
    if (known.size >= keptOffsets) known.clear();
    const found = find(instant);
    known.set(instant, found);
    return found;
  };
}

/**
 * Reads `YYYY-MM-DD` or an ISO date and time as local time of a zone, to the millisecond (`2001-01-31T23:59:59.999`). A day stands for
 * its first or last millisecond; a time with an offset is converted. Undefined for anything else, days that don't exist included.
 */
export function localTime(text: string, edge: DayEdge, timezone: TimeZone): string | undefined {
  const parts = pattern.exec(text);
  if (parts === null) return undefined;
  const [, year = '', month = '', day = '', hour, minute = '00', second = '00', fraction = '', zone] = parts;
  const date = `${year}-${month}-${day}`;
  if (year < '1000' || !exists(`${date}T00:00:00.000`)) return undefined;
  if (hour === undefined) return `${date}${edge === DayEdge.end ? 'T23:59:59.999' : 'T00:00:00.000'}`;
  const local = `${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  if (!exists(local)) return undefined;
  if (zone === undefined) return local;
  const instant = Date.parse(`${local}${zone}`);
  return Number.isNaN(instant) ? undefined : shift(instant, timezone);
}

/**
 * The UTC time (`2001-01-31T22:59:59.999`) of a local time. Where a clock shows it twice, the first time begins a range and the second ends
 * one; where it never does, the time as the clock stood before.
 */
export function utcTime(local: string, timezone: TimeZone, edge: DayEdge = DayEdge.start): string {
  const wall = Date.parse(`${local}Z`);
  const [before, after] = [timezone.offsetAt(wall - dayMs), timezone.offsetAt(wall + dayMs)];
  const instants = edge === DayEdge.start ? [before, after] : [after, before];
  const offset = before === after ? before : instants.find(one => timezone.offsetAt(wall - one) === one);
  return isoTime(Math.min(wall - (offset ?? before), lastTime));
}

/** Engines read years of four digits. */
const lastTime = Date.UTC(10_000, 0) - 1;

function exists(local: string): boolean {
  const time = Date.parse(`${local}Z`);
  return !Number.isNaN(time) && isoTime(time) === local;
}

/** Milliseconds as `2001-01-31T23:59:59.999`. */
export function isoTime(time: number): string {
  return new Date(time).toISOString().slice(0, -1);
}

function shift(instant: number, timezone: TimeZone): string {
  return isoTime(instant + timezone.offsetAt(instant));
}

/** The clock writes `GMT`, `GMT+01:00` or, of times when each town had its own, `GMT-04:56:02`. */
function offsetOf(clock: Intl.DateTimeFormat, instant: number): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(clock.format(instant)) ?? [];
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -offset : offset;
}
