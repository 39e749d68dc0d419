import { LRUCache } from 'lru-cache';

const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;

const dayMs = 86_400_000;

/** Whether a day means its first or its last millisecond. */
export const DayEdge = { start: 'start', end: 'end' } as const;
/** Whether a day means its first or its last millisecond. */
export type DayEdge = (typeof DayEdge)[keyof typeof DayEdge];

/** A time zone. Creating a time zone is expensive, so each query creates it only once. */
export interface TimeZone {
  /** IANA name as known to the engines. Contains only letters, digits and `_+-/`. */
  readonly name: string;
  /** Offset from UTC at an instant, positive if local time is ahead. Both in milliseconds. */
  offsetAt(instant: number): number;
}

export const utcZone: TimeZone = { name: 'UTC', offsetAt: () => 0 };

const maxTimezones = 100;

/** Finds and caches time zones. Creating a time zone takes longer than the rest of planning a query. */
export class TimeZones {
  readonly #cache = new LRUCache<string, TimeZone>({ max: maxTimezones });

  /** Returns the time zone of an IANA name, or `undefined` if the name is unknown. */
  find(name: string): TimeZone | undefined {
    const cached = this.#cache.get(name);
    if (cached) return cached;
    const found = findTimezone(name);
    if (found) this.#cache.set(name, found);
    return found;
  }
}

/** Returns the time zone of an IANA name, or `undefined` if the name is unknown. */
export function findTimezone(name: string): TimeZone | undefined {
  if (name === utcZone.name) return utcZone;
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return undefined;
  try {
    const clock = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    return { name: clock.resolvedOptions().timeZone, offsetAt: cacheOffsets(instant => offsetOf(clock, instant)) };
  } catch {
    return undefined;
  }
}

/** Maximum number of cached offsets per time zone. A dashboard has few dates, and most of its queries share them. */
const maxCachedOffsets = 2000;

function cacheOffsets(find: (instant: number) => number): (instant: number) => number {
  const offsets = new Map<number, number>();
  return instant => {
    const cached = offsets.get(instant);
    if (cached !== undefined) return cached;
    if (offsets.size >= maxCachedOffsets) offsets.clear();
    const found = find(instant);
    offsets.set(instant, found);
    return found;
  };
}

/**
 * Reads `YYYY-MM-DD` or an ISO date and time as local time in a time zone, in milliseconds (`2001-01-31T23:59:59.999`).
 * A day becomes its first or last millisecond; a time with an offset is converted. Returns `undefined` for any other
 * text and for days that do not exist.
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
 * Returns the UTC time (`2001-01-31T22:59:59.999`) of a local time. If the local time occurs twice, `DayEdge.start`
 * uses the first occurrence and `DayEdge.end` the second. If it does not occur, the offset before the change applies.
 */
export function utcTime(local: string, timezone: TimeZone, edge: DayEdge = DayEdge.start): string {
  const wall = Date.parse(`${local}Z`);
  const [before, after] = [timezone.offsetAt(wall - dayMs), timezone.offsetAt(wall + dayMs)];
  const instants = edge === DayEdge.start ? [before, after] : [after, before];
  const offset = before === after ? before : instants.find(one => timezone.offsetAt(wall - one) === one);
  return isoTime(Math.min(wall - (offset ?? before), lastTime));
}

/** The last time with a year of four digits, because engines support no others. */
const lastTime = Date.UTC(10_000, 0) - 1;

function exists(local: string): boolean {
  const time = Date.parse(`${local}Z`);
  return !Number.isNaN(time) && isoTime(time) === local;
}

/** Formats milliseconds as `2001-01-31T23:59:59.999`. */
export function isoTime(time: number): string {
  return new Date(time).toISOString().slice(0, -1);
}

function shift(instant: number, timezone: TimeZone): string {
  return isoTime(instant + timezone.offsetAt(instant));
}

/**
 * Returns the UTC offset in milliseconds. `Intl` formats offsets as `GMT`, `GMT+01:00` or, for local mean time before
 * standard zones, `GMT-04:56:02`.
 */
function offsetOf(clock: Intl.DateTimeFormat, instant: number): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(clock.format(instant)) ?? [];
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -offset : offset;
}
