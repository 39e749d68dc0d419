import { parse } from 'chrono-node/en';
import { relativeRange } from '../../../data/time/relative-dates.js';
import { utcZone } from '../../../data/time/time-zone.js';
import { type DateContext, type DateSpan, dayAfter, dayOf, monthsFrom, todayOf } from './date-span.js';

/** A date or period mentioned in a question. */
export interface DateMention {
  /** Start index in the text. The mention includes introductory words. */
  readonly from: number;
  readonly to: number;
  readonly span: DateSpan;
  /** The first and last period, which the question may compare: `from April to May`. */
  readonly ends?: readonly [DateSpan, DateSpan];
  /** Unit of a period that precedes another period: `the previous month`, `the year before`. */
  readonly before?: string;
  /** Whether to compare the period with the preceding one: `year over year`. */
  readonly isVersus?: boolean;
  /** The period from which a change is measured: `since May`. */
  readonly since?: DateSpan;
  /** Whether the period itself may also be meant: `models from 1980`. */
  readonly isFrom?: boolean;
}

/** A single date, before years are resolved and ranges are joined. */
interface Atom {
  readonly from: number;
  readonly to: number;
  /** `null` if the text names no year. */
  readonly year: number | null;
  /** Whether the text names the year. If so, an adjacent date without a year can use it. */
  readonly lends: boolean;
  readonly spanIn: (year: number) => DateSpan;
  readonly before?: string;
  readonly isVersus?: boolean;
}

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const units = '(second|minute|hour|day|week|month|quarter|year)';
const year = '((?:19|20)\\d\\d)';
const ordinals = '(first|second|third|fourth|1st|2nd|3rd|4th)';
const linking = '(?:against|versus|vs|with|to|than|and|or)';
const small = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

type Read = Omit<Atom, 'from' | 'to'>;
type Reader = (groups: readonly (string | undefined)[], at: DateContext) => Read | undefined;

const dated = (span: DateSpan, { lends }: Pick<Atom, 'lends'>): Read => ({
  year: Number((span.from ?? span.to ?? '').slice(0, 4)),
  lends,
  spanIn: () => span,
});
const fixed = (span: DateSpan | undefined, before?: string): Read | undefined =>
  span && { ...dated(span, { lends: false }), ...(before ? { before } : {}) };
const yearOf = (text: string | undefined) => (text === undefined ? null : Number(text));
const monthsIn = (first: number, count: number, text: string | undefined) => ({
  year: yearOf(text),
  lends: text !== undefined,
  spanIn: (of: number) => monthsFrom(of, first, count),
});
const ordinalOf = (text = '') =>
  /^\d/.test(text) ? Number(text[0]) : ['first', 'second', 'third', 'fourth'].indexOf(text) + 1;
const relative = (phrase: string, { now, timezone }: DateContext): DateSpan | undefined => {
  const range = relativeRange(phrase, { now, timezone });
  return range && plainDays(range[0], range[1]);
};

/** Readers in order from specific to general. Later readers skip the text that earlier ones have matched. */
const readers: readonly (readonly [RegExp, Reader])[] = [
  [
    /\b(?:(day|week|month|quarter|year)[ -](?:over|on)[ -]\1|(yoy|mom|qoq|wow))\b/g,
    ([unit, short = ''], at) => {
      const named = unit ?? { y: 'year', m: 'month', q: 'quarter', w: 'week' }[short[0] ?? ''] ?? 'month';
      const read = fixed(relative(`previous ${named}`, at), named);
      return read && { ...read, isVersus: true };
    },
  ],
  [
    /\b(?:the )?(?:(?:previous|prior|preceding) (period|day|week|month|quarter|year)|(period|day|week|month|quarter|year) (?:before|earlier))\b/g,
    ([one, other], at) => {
      const unit = one ?? other ?? 'period';
      return fixed(unit === 'period' ? { from: null, to: null } : relative(`previous ${unit}`, at), unit);
    },
  ],
  [
    new RegExp(
      `\\b(?:the )?(last|past|previous|next|this|current) (?:(\\d{1,4}|${small.join('|')}) )?${units}s?\\b(?! of)`,
      'g',
    ),
    ([direction, count, unit], at) => {
      const number = count === undefined ? '' : ` ${small.includes(count) ? small.indexOf(count) + 1 : count}`;
      return fixed(
        relative(`${direction === 'current' ? 'this' : direction}${number} ${unit}${number === '' ? '' : 's'}`, at),
      );
    },
  ],
  [
    // These periods are relative to the last day with data. `lastDay` is set to that day once it is known.
    new RegExp(
      `\\b(?:the )?(?:(?:last|past) (?:(\\d{1,4}|${small.join('|')}) )?${units}s? (?:of|with|in) (?:the |my |our )?(?:available )?data|(?:latest|most recent|newest) ${units})\\b`,
      'g',
    ),
    ([count, unit, latest], at) => {
      const number = count === undefined ? 1 : Number(small.includes(count) ? small.indexOf(count) + 1 : count);
      const named = unit ?? latest ?? 'day';
      const start = { ...at, now: new Date(`${dayAfter(at.lastDay)}T12:00:00Z`), timezone: utcZone };
      return fixed(
        count === undefined
          ? relative(`this ${named}`, { ...start, now: new Date(`${at.lastDay}T12:00:00Z`) })
          : relative(`last ${number} ${named}s`, start),
      );
    },
  ],
  [
    /\b(?:(year|month|quarter|week) to date|(ytd)|(mtd))\b/g,
    ([unit, ytd], at) => {
      const whole = relative(`this ${unit ?? (ytd ? 'year' : 'month')}`, at);
      return fixed(whole && { from: whole.from, to: todayOf(at) });
    },
  ],
  ...(['quarter', 'half'] as const).map((unit): (typeof readers)[number] => [
    // `the second quarter against the first`, `the first and second quarter`
    new RegExp(
      `(?<=\\b${ordinals} ${unit}\\b.{0,40}\\b${linking} (?:the )?)${ordinals}(?! (?:quarter|half|${month}))(?=$|[?!.,]| (?:of|in|by|per|for|with|on) )|` +
        `\\b${ordinals}(?= ${linking} (?:the )?${ordinals} ${unit}\\b)`,
      'g',
    ),
    groups => {
      const ordinal = ordinalOf(groups[1] ?? groups.at(-2));
      const count = unit === 'quarter' ? 3 : 6;
      return monthsIn((ordinal - 1) * count + 1, count, undefined);
    },
  ]),
  [
    new RegExp(`\\bq([1-4])(?:[ /-]?(?:of |in )?${year})?\\b`, 'g'),
    ([quarter, of]) => monthsIn(Number(quarter) * 3 - 2, 3, of),
  ],
  [
    new RegExp(`\\b(?:the )?(?:last|final) (month|quarter|half) (?:of|in) ${year}\\b`, 'g'),
    ([unit = 'month', of]) => {
      const count = { month: 1, quarter: 3, half: 6 }[unit] ?? 1;
      return monthsIn(13 - count, count, of);
    },
  ],
  [new RegExp(`\\b${year}[ /-]?q([1-4])\\b`, 'g'), ([of, quarter]) => monthsIn(Number(quarter) * 3 - 2, 3, of)],
  [
    new RegExp(`\\b(?:the )?${ordinals} quarter(?: (?:of|in) ${year}| ${year})?\\b`, 'g'),
    ([quarter, one, other]) => monthsIn(ordinalOf(quarter) * 3 - 2, 3, one ?? other),
  ],
  [new RegExp(`\\bh([12])(?: ?${year})?\\b`, 'g'), ([half, of]) => monthsIn(Number(half) * 6 - 5, 6, of)],
  [
    new RegExp(`\\b(?:the )?(first|second|1st|2nd) half(?: (?:of|in) ${year}| ${year})?\\b`, 'g'),
    ([half, one, other]) => monthsIn(ordinalOf(half) * 6 - 5, 6, one ?? other),
  ],
  [/\b((?:19|20)\d\d)-(0[1-9]|1[0-2])\b(?!-)/g, ([of, number]) => monthsIn(Number(number), 1, of)],
  [
    new RegExp(
      `(?<!\\d(?:st|nd|rd|th)?(?: of)?[ .-])\\b${month}\\b\\.?(?! ?\\d{1,2}(?:st|nd|rd|th)?\\b)(?:,? ?(?:of |in )?${year})?\\b`,
      'g',
    ),
    ([name = '', of]) => monthsIn(monthNames.indexOf(name.slice(0, 3)) + 1, 1, of),
  ],
];

/** Matches years that are not part of a full date. */
const yearReaders: typeof readers = [
  [
    new RegExp(
      `(?<=\\b(?:in|during|since|until|till|before|after|year|through|throughout) )${year}\\b(?![-.,]\\d)`,
      'g',
    ),
    ([of]) => monthsIn(1, 12, of),
  ],
  [
    new RegExp(
      `(?<!(?:over|above|under|below|than|least|most|exactly|equals?|top|first|limit|show|[<>=]|\\d[.,]?|[.-]) ?)\\b${year}(?=\\s*(?:$|[?!;]|[.,](?!\\d)|(?:and|to|vs|versus|compared|by|per|as|onwards?|until|through|with|against|in|for|changed|increased|decreased|grown|risen|fallen)\\b))`,
      'g',
    ),
    ([of]) => monthsIn(1, 12, of),
  ],
];

/**
 * Month names and abbreviations that are also ordinary words. They count as dates only next to a year or after a
 * preposition.
 */
const doubtful = /^(?:may|march|mar|jan|jun|dec|nov|sep|oct|aug|apr|feb|jul)\.?$/;
const leads =
  /\b(?:in|of|during|for|since|from|to|until|till|through|before|after|between|and|vs|versus|with|against|than|last|this|,) $/;

const follows = /^ (?:and|to|vs|versus|compared|until|through|or) /;

/** Whether a word that may be the name of a month is used as a date. */
function isDate(text: string, from: number, length: number): boolean {
  const isAlone = length === text.trim().length;
  return isAlone || leads.test(text.slice(0, from)) || (from === 0 && follows.test(text.slice(length)));
}

/** Returns the dates and periods of a question, in order of appearance. */
export function readDates(text: string, at: DateContext): DateMention[] {
  const lower = text.toLowerCase();
  // Lowercasing can change the length of a letter, which would shift all following indexes.
  const source = lower.length === text.length ? lower : text;
  return paired(source, withYears(atomsOf(source, at), at), at);
}

function atomsOf(source: string, at: DateContext): Atom[] {
  const atoms: Atom[] = [];
  let rest = source;
  const take = (from: number, to: number, atom: Read | undefined) => {
    if (atom === undefined) return;
    atoms.push({ from, to, ...atom });
    rest = rest.slice(0, from) + '\u0001'.repeat(to - from) + rest.slice(to);
  };
  const readAll = (list: typeof readers) => {
    for (const [pattern, read] of list) {
      for (const match of [...rest.matchAll(pattern)].slice(0, 8)) {
        if (doubtful.test(match[0]) && !isDate(rest, match.index, match[0].length)) continue;
        take(match.index, match.index + match[0].length, read(match.slice(1), at));
      }
    }
  };
  readAll(readers);
  for (const [from, to, span] of daysByChrono(rest, at)) take(from, to, dated(span, { lends: true }));
  readAll(yearReaders);
  return atoms.sort((a, b) => a.from - b.from);
}

/** Words that chrono parses as dates but that are not used as dates in questions. */
const noDates =
  /\b(?:now|(?:mon|tues|wednes|thurs|fri|satur|sun)days|week(?:day|end)s?|sat|sun|mon|wed|thu|fri|tue|morning|afternoon|evening|night)\b/g;
const weekdayNames = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/g;

const weekMs = 7 * 86_400_000;

/** Parses days in natural formats: `3 March`, `3/15/2001`, `last Monday`, `yesterday`. */
function daysByChrono(rest: string, at: DateContext): (readonly [number, number, DateSpan])[] {
  const wall = new Date(at.now.getTime() + at.timezone.offsetAt(at.now.getTime()));
  const mask = (word: string) => '\u0001'.repeat(word.length);
  // Several weekdays mean days of each week, not dates: `Monday or Friday`.
  const isOfWeeks = new Set(rest.match(weekdayNames)).size > 1;
  const masked = (isOfWeeks ? rest.replace(weekdayNames, mask) : rest).replace(noDates, mask);
  return parse(masked, { instant: wall, timezone: 0 })
    .slice(0, 8)
    .flatMap(({ index, text, start, end }) => {
      const isDay = start.isCertain('day') || start.isCertain('weekday');
      if (!isDay || /\d ?(?:min|hour|sec)/.test(text)) return [];
      // `on Monday` means the previous Monday, because there is no data after today.
      const isOfWeek = start.isCertain('weekday') && !start.isCertain('day') && !/next|this/.test(text);
      const back = isOfWeek && !end && start.date() > wall ? weekMs : 0;
      const from = dayOf(start.date().getTime() - back);
      const to = dayOf((end ?? start).date().getTime() - back);
      const certain = start.isCertain('year') || !start.isCertain('month');
      const settled = certain ? from : yearBack(from, at.lastDay);
      const span = { from: settled, to: certain || end ? to : settled };
      return from < '1000' ? [] : [[index, index + text.length, span] as const];
    });
}

/** Returns the last occurrence of a day of the year up to `last`. */
function yearBack(day: string, last: string): string {
  const inYear = `${last.slice(0, 4)}${day.slice(4)}`;
  return inYear <= last ? inYear : `${Number(last.slice(0, 4)) - 1}${day.slice(4)}`;
}

interface DatedAtom extends Atom {
  readonly span: DateSpan;
}

/** Resolves dates without a year: uses the year of an adjacent date, otherwise the last year with data for the date. */
function withYears(atoms: readonly Atom[], { lastDay }: DateContext): DatedAtom[] {
  return atoms.map((atom, index) => {
    const lender =
      atoms.slice(index + 1).find(({ lends }) => lends) ?? atoms.slice(0, index).findLast(({ lends }) => lends);
    const near = atom.year ?? lender?.year ?? null;
    if (near !== null) return { ...atom, span: atom.spanIn(near) };
    const latest = Number(lastDay.slice(0, 4));
    const span = atom.spanIn(latest);
    return { ...atom, span: (span.from ?? '') <= lastDay ? span : atom.spanIn(latest - 1) };
  });
}

const opening =
  /\b(?:(since|(?:starting |beginning )?from|starting in|beginning in)|(after)|(before)|(until|till|through|up to)|(between))(?: the)?(?: (?:month|start|beginning|end) of)? ?$/;
const closing = /^ ?(?:to|until|till|through|and|or|[-–—])(?: the)? ?$/;

/** Joins two dates with `to` between them into one period. `since`, `before` and similar words make it open-ended. */
function paired(source: string, atoms: readonly DatedAtom[], at: DateContext): DateMention[] {
  const mentions: DateMention[] = [];
  for (let index = 0; index < atoms.length; index += 1) {
    const [atom, next] = [atoms[index], atoms[index + 1]];
    if (atom === undefined) break;
    const lead = opening.exec(source.slice(Math.max(0, atom.from - 40), atom.from));
    const start = atom.from - (lead?.[0].length ?? 0);
    const between = next && source.slice(atom.to, next.from);
    if (next && between !== undefined && closing.test(between) && joins(between, lead?.[0] ?? '', atom, next)) {
      const span = { from: least(atom.span.from, next.span.from), to: most(atom.span.to, next.span.to) };
      mentions.push({ from: start, to: next.to, span, ends: [atom.span, next.span] });
      index += 1;
      continue;
    }
    mentions.push(mentionOf(source, atom, { start, lead, at }));
  }
  return mentions;
}

interface Opening {
  readonly start: number;
  readonly lead: RegExpExecArray | null;
  readonly at: DateContext;
}

/** Returns the mention of a single date with the words that open its period: `since May`, `from 1980 onwards`. */
function mentionOf(source: string, atom: DatedAtom, { start, lead, at }: Opening): DateMention {
  const [, since] = lead ?? [];
  const [onwards = ''] = (since && /^,? (?:on|onwards?)(?=$|[ ?!.,])/.exec(source.slice(atom.to))) || [];
  return {
    from: start,
    to: atom.to + onwards.length,
    span: opened(atom.span, lead, at),
    ...(atom.before ? { before: atom.before } : {}),
    ...(atom.isVersus ? { isVersus: true } : {}),
    ...(since === undefined ? {} : { since: atom.span }),
    ...(since === 'from' && onwards === '' ? { isFrom: true } : {}),
  };
}

/**
 * Whether `and` joins two dates into one period: after `between`, or if the dates are adjacent, as in `March and
 * April`.
 */
function joins(between: string, lead: string, one: DatedAtom, other: DatedAtom): boolean {
  if (one.before || other.before) return false;
  if (!/and|or/.test(between)) return true;
  const [end, start] = [one.span.to, other.span.from];
  return lead.startsWith('between') || (end !== null && start !== null && dayAfter(end) === start);
}

function opened(span: DateSpan, lead: RegExpExecArray | null, at: DateContext): DateSpan {
  const [, since, after, before, until] = lead ?? [];
  const today = todayOf(at);
  if (since !== undefined) return { from: span.from, to: (span.from ?? '') <= today ? today : null };
  if (after !== undefined) return { from: span.to === null ? null : dayAfter(span.to), to: null };
  if (before !== undefined) return { from: null, to: span.from === null ? null : dayAfter(span.from, -1) };
  return until === undefined ? span : { from: null, to: span.to };
}

function least(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

function most(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

/** Shortens whole days to dates. Other times remain unchanged. */
function plainDays(from: string, to: string): DateSpan {
  const whole = from.endsWith('T00:00:00.000') && to.endsWith('T23:59:59.999');
  return whole ? { from: from.slice(0, 10), to: to.slice(0, 10) } : { from, to };
}
