/** The parts of an interval. They are separate, because months and days have no fixed length. */
interface Parts {
  readonly months: bigint;
  readonly days: bigint;
  readonly micros: bigint;
}

const second = 1_000_000n;
const units: Readonly<Record<string, Parts>> = {
  century: { months: 1200n, days: 0n, micros: 0n },
  decade: { months: 120n, days: 0n, micros: 0n },
  year: { months: 12n, days: 0n, micros: 0n },
  month: { months: 1n, days: 0n, micros: 0n },
  week: { months: 0n, days: 7n, micros: 0n },
  day: { months: 0n, days: 1n, micros: 0n },
  hour: { months: 0n, days: 0n, micros: 3600n * second },
  minute: { months: 0n, days: 0n, micros: 60n * second },
  second: { months: 0n, days: 0n, micros: second },
  millisecond: { months: 0n, days: 0n, micros: 1000n },
  microsecond: { months: 0n, days: 0n, micros: 1n },
};
const shortNames: Readonly<Record<string, string>> = {
  centuries: 'century',
  y: 'year',
  yr: 'year',
  yrs: 'year',
  mon: 'month',
  mons: 'month',
  d: 'day',
  w: 'week',
  h: 'hour',
  hr: 'hour',
  hrs: 'hour',
  m: 'minute',
  min: 'minute',
  mins: 'minute',
  s: 'second',
  sec: 'second',
  secs: 'second',
  ms: 'millisecond',
};
const maxAmount = 1_000_000_000n;
const part =
  /^\s*(?:([+-]?)(\d{1,4}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?|([+-]?\d{1,10})(?:\.(\d{1,6}))?\s*([a-zA-Z]*))(?=\s|$)/;

/**
 * Normalizes an interval to a form that both engines read in the same way (`14 months 3 days 1500000 microseconds`).
 * Supports fractions only for hours and shorter units. Returns `undefined` if the text is not an interval.
 * @param bareUnit - unit of numbers without a unit (`INTERVAL '3' DAY`), if specified.
 */
export function intervalText(text: string, bareUnit?: string): string | undefined {
  const { body, sign } = readAgo(text);
  let sum: Parts = { months: 0n, days: 0n, micros: 0n };
  let rest = body;
  while (rest.trim() !== '') {
    const match = part.exec(rest);
    if (match === null) return undefined;
    // A number at the end is in seconds, unless another unit is specified.
    const isLast = rest.slice(match[0].length).trim() === '';
    const parts = readPart(match, bareUnit ?? (isLast ? 'second' : undefined));
    if (parts === undefined) return undefined;
    sum = { months: sum.months + parts.months, days: sum.days + parts.days, micros: sum.micros + parts.micros };
    rest = rest.slice(match[0].length);
  }
  if (body.trim() === '') return undefined;
  return `${sign * sum.months} months ${sign * sum.days} days ${sign * sum.micros} microseconds`;
}

function readAgo(text: string): { readonly body: string; readonly sign: bigint } {
  const body = text.trim().replace(/\s+ago$/i, '');
  return { body, sign: body === text.trim() ? 1n : -1n };
}

function readPart(match: RegExpExecArray, bareUnit: string | undefined): Parts | undefined {
  const [, sign, hours, minutes = '0', seconds = '0', fraction = '', amount, tenths, name = ''] = match;
  if (hours !== undefined) {
    if (Number(minutes) > 59 || Number(seconds) > 59) return undefined;
    const time = (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)) * second;
    const micros = time + BigInt(fraction.padEnd(6, '0'));
    return { months: 0n, days: 0n, micros: sign === '-' ? -micros : micros };
  }
  const unit = unitOf(name === '' ? (bareUnit ?? '') : name);
  if (unit === undefined || amount === undefined) return undefined;
  return times(unit, amount, tenths);
}

function times(unit: Parts, amount: string, tenths: string | undefined): Parts | undefined {
  const count = BigInt(amount);
  if (count > maxAmount || count < -maxAmount) return undefined;
  if (tenths !== undefined && unit.micros < second) return undefined;
  const over = (unit.micros * BigInt((tenths ?? '').padEnd(6, '0'))) / second;
  const micros = unit.micros * count + (amount.startsWith('-') ? -over : over);
  return { months: unit.months * count, days: unit.days * count, micros };
}

function unitOf(name: string): Parts | undefined {
  const lower = name.toLowerCase();
  const long = Object.hasOwn(shortNames, lower) ? shortNames[lower] : lower.replace(/s$/, '');
  return long !== undefined && Object.hasOwn(units, long) ? units[long] : undefined;
}
