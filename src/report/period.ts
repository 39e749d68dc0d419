import { later, type Span } from './buckets.js';
import { formattingLocale } from './locale.js';

const day = 86_400_000;

/** Prints whole periods by their starts: `Apr 16 – 22, 2001` of a week, `Jan – Mar 2001` of a quarter, `Mon, Apr 16, 2001` of a day. */
export function periodPrinter(locale: string, span: Span): (start: Date) => string {
  const format = new Intl.DateTimeFormat(formattingLocale(locale), { ...partsOf(span), timeZone: 'UTC' });
  return start => format.formatRange(start, new Date(later(start.getTime(), span) - 1));
}

function partsOf({ months, milliseconds }: Span): Intl.DateTimeFormatOptions {
  if (months > 0 && months % 12 === 0 && milliseconds === 0) return { year: 'numeric' };
  if (months > 0 && milliseconds === 0) return { year: 'numeric', month: 'short' };
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  if (milliseconds === day) return { ...date, weekday: 'short' };
  return milliseconds % day === 0 ? date : { ...date, hour: 'numeric', minute: 'numeric' };
}
