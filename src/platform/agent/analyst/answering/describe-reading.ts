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
  return readingWords(reading, locale).join(' · ');
}

function readingWords(reading: Reading, locale: string): string[] {
  const { measures, dimensions, grain, time, conditions, segments, span, order, limit, beside } = reading;
  const groups = [...(grain ? [grain] : []), ...dimensions.map(({ title }) => title)];
  const figures = measures.map(({ title }) => title).join(' and ');
  return [
    beside.kind === 'share' ? `share of ${figures}` : figures || groups.join(' and '),
    ...(groups.length > 0 && figures ? [`by ${groups.join(' and ')}`] : []),
    ...segments.map(({ title }) => `only ${title}`),
    ...conditions.map(condition => describeCondition(condition)),
    ...(span && time ? [`${time.title} ${describeSpan(span, locale)}`] : []),
    ...(beside.kind === 'compare' ? [`compared with ${describeSpan(beside.against, locale)}`] : []),
    ...(order ? [`${order.member.title} ${orderWords(reading)}`] : []),
    ...(limit === null ? [] : [`first ${limit}`]),
  ];
}

function orderWords({ order }: Reading): string {
  if (order?.member.kind !== MemberKind.measure) return order?.desc ? 'from Z to A' : 'from A to Z';
  return order.desc ? 'highest first' : 'lowest first';
}

/** Describes a condition in words. */
function describeCondition({ member, operator, values }: Condition): string {
  const shown = values.slice(0, 5).join(' or ') + (values.length > 5 ? ' or others' : '');
  return `${member.title} ${operators[operator] ?? operator} ${shown}`.trim();
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
  if (from === null) return to === null ? '' : `before ${day(dayAfter(to))}`;
  if (to === null) return `from ${day(from)}`;
  const months = wholeMonths(span);
  if (months === 1) return format({ year: 'numeric', month: 'long' }).format(at(from));
  if (months === 12 && from.endsWith('-01-01')) return from.slice(0, 4);
  return from === to ? day(from) : `${day(from)} to ${day(to)}`;
}
