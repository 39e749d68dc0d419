const millisPerDay = 86_400_000;
/** Beyond it JavaScript has no calendar. */
const lastMillis = 8.64e15;

const twoDigits: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Writes moments as `YYYY-MM-DDTHH:MM:SS.mmm` in UTC. It remembers days: the moments of one column share few. */
export class TimeText {
  readonly #dates = new Map<number, string>();

  /** Undefined for a moment beyond the calendar. */
  write(millis: number): string | undefined {
    if (!(Math.abs(millis) <= lastMillis)) return undefined;
    const day = Math.floor(millis / millisPerDay);
    const time = (millis - day * millisPerDay) | 0;
    return this.#date(day) + (time === 0 ? '00:00:00.000' : timeOfDay(time));
  }

  /** `YYYY-MM-DDT`. */
  #date(day: number): string {
    const known = this.#dates.get(day);
    if (known !== undefined) return known;
    const date = new Date(day * millisPerDay).toISOString().slice(0, -'00:00:00.000Z'.length);
    this.#dates.set(day, date);
    return date;
  }
}

function timeOfDay(millis: number): string {
  const seconds = (millis / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const hour = twoDigits[(minutes / 60) | 0];
  return `${hour}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${String(millis % 1000).padStart(3, '0')}`;
}
