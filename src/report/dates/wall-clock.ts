const wallClock =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Parses a timestamp of the Data API as wall-clock time. Its fields are interpreted as UTC and its offset is dropped,
 * so that `2001-01-01T00:00:00.000` is January 1 for every viewer. Returns `null` if the text is not a timestamp.
 */
export function wallClockDate(text: string): Date | null {
  const time = wallClockTime(text);
  return Number.isNaN(time) ? null : new Date(time);
}

/** Returns `wallClockDate` in milliseconds since 1970; NaN if the text is not a timestamp. */
export function wallClockTime(text: string): number {
  if (text.length === usualLength) {
    const time = readUsual(text);
    if (!Number.isNaN(time)) return time;
  }
  const match = wallClock.exec(text);
  if (!match) return Number.NaN;
  const field = (index: number) => Number(match[index] ?? 0);
  const milliseconds = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000);
  const time = Date.UTC(field(1), field(2) - 1, field(3), field(4), field(5), field(6), milliseconds);
  const date = new Date(time);
  return date.getUTCMonth() === field(2) - 1 && date.getUTCDate() === field(3) ? time : Number.NaN;
}

const usualLength = '2001-01-01T00:00:00.000'.length;
const daysOf = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Parses the format of the Data API without a regular expression, because large results contain a hundred thousand
 * timestamps. Returns NaN for any other text.
 */
function readUsual(text: string): number {
  const isUsual =
    text[4] === '-' && text[7] === '-' && text[10] === 'T' && text[13] === ':' && text[16] === ':' && text[19] === '.';
  if (!isUsual) return Number.NaN;
  const year = digits(text, 0, 4);
  const [month, day] = [digits(text, 5, 7), digits(text, 8, 10)];
  // The caller parses leap days, and years that `Date.UTC` maps to the 20th century, with a regular expression.
  if (!(year >= 100 && month >= 1 && day >= 1 && day <= (daysOf[month - 1] ?? 0))) return Number.NaN;
  const [hour, minute, second] = [digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19)];
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
  return Date.UTC(year, month - 1, day, hour, minute, second, digits(text, 20, 23));
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
