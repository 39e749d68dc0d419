import { isoTime } from '../../model/dates.js';

// Postgres reads a day in many ways, some of which hang on its settings (`1/2/3`): only the one that can't be misread is read here.
const pattern =
  /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?\s*(?:Z|[+-]\d{2}(?::?\d{2})?)?)?\s*$/;

/** A day (`2001-01-31`) as the text says it, without its time. Undefined for what is none. */
export function dateText(text: string): string | undefined {
  return timestampText(text)?.slice(0, 10);
}

/**
 * A moment on the clock (`2001-01-31T23:59:59.999`, with microseconds where there are any). A zone is passed over, as Postgres does for a
 * timestamp without one. Undefined for what is none.
 */
export function timestampText(text: string): string | undefined {
  const parts = pattern.exec(text);
  if (parts === null) return undefined;
  const [, year = '', month = '', day = '', hour = '0', minute = '00', second = '00', fraction = ''] = parts;
  const micros = fraction.padEnd(6, '0');
  const millis = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}.${micros.slice(0, 3)}`;
  const time = Date.parse(`${millis}Z`);
  if (year === '0000' || Number.isNaN(time) || isoTime(time) !== millis) return undefined;
  return micros.endsWith('000') ? millis : `${millis}${micros.slice(3)}`;
}

function two(digits: string): string {
  return digits.padStart(2, '0');
}
