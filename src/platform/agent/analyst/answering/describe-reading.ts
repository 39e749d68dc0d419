import { formattingLocale } from '../../../../report/format/locale.js';
import type { Condition, Reading } from '../reading/reading.js';
import { type DateSpan, dayAfter, wholeMonths } from '../time/date-span.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import { plainText } from './markdown.js';

const operators: Readonly<Record<string, string>> = {
  equals: 'is',
  notEquals: 'is not',
  gt: 'over',
  gte: 'at least',
  lt: 'under',
  lte: 'at most',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  endsWith: 'ends with',
  set: 'is set',
  notSet: 'is not set',
};

/** Describes a reading as Markdown-safe text, so that the user can check the interpretation. */
export function describeReading(reading: Reading, locale: string): string {
  return readingWords(reading, locale)
    .map(part => plainText(part))
    .join(' · ');
}

/** Returns the title of a reading as plain text. */
export function titleOf(reading: Reading, locale: string): string {
  const title = readingWords(reading, locale).join(' · ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function readingWords(reading: Reading, locale: string): string[] {
  const { measures, dimensions, time, conditions, segments, span, computation } = reading;
  const isDivided = computation.kind === 'contributions';
  const groups = isDivided ? [] : [...grainWords(reading), ...dimensions.map(({ title }) => title)];
  const figures = measures.map(({ title }) => title).join(' and ');
  return [
    computedWords(reading, figures) || groups.join(' and '),
    ...(groups.length > 0 && figures ? [`by ${groups.join(' and ')}`] : []),
    ...segments.map(({ title }) => `only ${title}`),
    ...conditions.map(condition => describeCondition(condition)),
    ...(span && time ? [`${time.title} ${describeSpan(span, locale)}`] : []),
    ...(computation.kind === 'compare rows' ? [`compared with ${rowsTitle(computation.against)}`] : []),
    ...(computation.kind === 'compare' || isDivided
      ? [`compared with ${describeSpan(computation.against, locale)}`]
      : []),
    ...(computation.kind === 'compare' && computation.ranking
      ? [`largest ${computation.ranking === 'desc' ? 'increase' : 'decrease'} first`]
      : []),
    ...(reading.perGroup ? [perGroupWords(reading)] : []),
    ...rankWords(reading),
  ];
}

/** Describes the granularity, with the date that it groups if the cube has several: `month of Shipping date`. */
function grainWords({ grain, time, span }: Reading): string[] {
  if (grain === null) return [];
  // The period names the date as well.
  return [time?.isOneOfTimes && span === null ? `${grain} of ${time.title}` : grain];
}

/** Returns the title of a set of rows: that of its segment, otherwise that of the measure that counts it. */
export function rowsTitle({ measures, segments }: Pick<Reading, 'measures' | 'segments'>): string {
  return (segments[0] ?? measures[0])?.title ?? '';
}

function computedWords({ computation }: Reading, figures: string): string {
  if (computation.kind === 'share') return `share of ${figures}`;
  if (computation.kind === 'running total') return `running total of ${figures}`;
  if (computation.kind === 'unusual') return `unusual values of ${figures}`;
  return computation.kind === 'contributions' ? `parts of the change of ${figures}` : figures;
}

function perGroupWords({ perGroup, dimensions, grain }: Reading): string {
  const group =
    perGroup?.ranked === null
      ? dimensions[0]?.title
      : (dimensions.find(one => one !== perGroup?.ranked)?.title ?? grain);
  return `${perGroup?.desc ? 'highest' : 'lowest'} ${perGroup?.limit ?? ''} of each ${group ?? 'group'}`;
}

/** Describes the order and the limit of a ranking: `only the highest`, `the 10 highest by Revenue`. */
function rankWords({ measures, order, limit }: Reading): string[] {
  if (order === null) return limit === null ? [] : [`first ${limit} rows`];
  const { member, desc } = order;
  const [only, ...others] = measures;
  const by = member === only && others.length === 0 ? '' : ` by ${member.title}`;
  const end = desc ? 'highest' : 'lowest';
  if (member.kind !== MemberKind.measure)
    return [`${member.title} ${orderWords(order)}`, ...(limit === null ? [] : [`first ${limit} rows`])];
  if (limit === null) return [`${end} first${by}`];
  return [limit === 1 ? `only the ${end}${by}` : `the ${limit} ${end}${by}`];
}

function orderWords({ member, desc }: NonNullable<Reading['order']>): string {
  if (member.type === 'string') return desc ? 'from Z to A' : 'from A to Z';
  return desc ? 'descending' : 'ascending';
}

/** Describes a condition in words. */
function describeCondition({ member, operator, values }: Condition): string {
  const shown = values.slice(0, 5).join(' or ') + (values.length > 5 ? ' or others' : '');
  return `${member.title} ${operators[operator] ?? operator} ${shown}`.trim();
}

/** Words for periods in the languages of the elements. */
const periodWords = {
  en: { period: 'Period', before: 'before …', from: 'from …', range: '… to …' },
  de: { period: 'Zeitraum', before: 'vor dem …', from: 'ab dem …', range: '… bis …' },
  es: { period: 'Período', before: 'antes del …', from: 'desde el …', range: '… al …' },
  fr: { period: 'Période', before: 'avant le …', from: 'à partir du …', range: '… au …' },
  ja: { period: '期間', before: '…より前', from: '…以降', range: '…～…' },
  ar: { period: 'الفترة', before: 'قبل …', from: 'من …', range: '… إلى …' },
};

function wordsIn(locale: string): (typeof periodWords)['en'] {
  const language = locale.split('-')[0]?.toLowerCase() ?? '';
  return new Map(Object.entries(periodWords)).get(language) ?? periodWords.en;
}

/** Returns the title of the column that names the compared periods. */
export function periodTitle(locale: string): string {
  return wordsIn(locale).period;
}

/** Formats a span in the reader's language: `March 2001`, `1 Mar 2001 to 15 Apr 2001`. */
export function describeSpan(span: DateSpan, locale: string): string {
  const { from, to } = span;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(formattingLocale(locale), { ...options, timeZone: 'UTC' });
  const at = (day: string) => new Date(day.length > 10 ? `${day}Z` : `${day}T00:00:00Z`);
  const day = (text: string) =>
    format({
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      ...(text.length > 10 ? { hour: '2-digit', minute: '2-digit' } : {}),
    }).format(at(text));
  const words = wordsIn(locale);
  if (from === null) return to === null ? '' : words.before.replace('…', day(dayAfter(to)));
  if (to === null) return words.from.replace('…', day(from));
  const months = wholeMonths(span);
  if (months === 1) return format({ year: 'numeric', month: 'long' }).format(at(from));
  const quarter = months === 3 && /-(?:01|04|07|10)-01$/.test(from) ? Math.ceil(Number(from.slice(5, 7)) / 3) : null;
  if (quarter) return `${/^(?:es|fr)\b/.test(locale) ? 'T' : 'Q'}${quarter} ${from.slice(0, 4)}`;
  if (months === 12 && from.endsWith('-01-01')) return from.slice(0, 4);
  return from === to ? day(from) : words.range.replace('…', day(from)).replace('…', day(to));
}
