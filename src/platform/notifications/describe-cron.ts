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
