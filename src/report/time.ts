const wallClock =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Reads a timestamp of the Data API as the clock on the wall shows it: the fields are put in UTC and any zone is dropped, so
 * that `2001-01-01T00:00:00.000` is 1 January for every viewer. Null where the text is no timestamp.
 */
export function wallClockDate(text: string): Date | null {
  const match = wallClock.exec(text);
  if (!match) return null;
  const field = (index: number) => Number(match[index] ?? 0);
  const milliseconds = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000);
  const date = new Date(Date.UTC(field(1), field(2) - 1, field(3), field(4), field(5), field(6), milliseconds));
  return date.getUTCMonth() === field(2) - 1 && date.getUTCDate() === field(3) ? date : null;
}
