import type { DateMention } from '../time/date-phrases.js';
import { type AskedAt, type DateSpan, grainFor, spanBeside, todayOf } from '../time/date-span.js';
import { Cue } from '../vocabulary/cues.js';
import { type Lexicon, type Member, MemberKind } from '../vocabulary/lexicon.js';
import type { Draft } from './draft.js';
import { choose, impossible, labelOf } from './outcome.js';
import type { Beside, Reading } from './reading.js';
import type { ResolvedParts } from './resolve-draft.js';
import { canJoin, dimensionOf, measureOf, type Scope } from './resolve-members.js';
import { wholeOf } from './to-query.js';

/** Adds periods, shares and comparisons from a question to its reading. */
export function applyTime(reading: Reading, parts: ResolvedParts, draft: Draft, scope: Scope, at: AskedAt): Reading {
  const { cues } = draft;
  const compared = comparison(draft, reading, at);
  const span = compared?.main ?? spanOf(draft) ?? (cues.has(Cue.reset) ? null : reading.span);
  const named = draft.times.length > 0 && draft.dates.length === 0 ? parts.time : null;
  const isTrend =
    cues.has(Cue.trend) ||
    isTimeAxis(draft, reading) ||
    (cues.has(Cue.change) && compared === null && reading.dimensions.length === 0);
  const grain = reading.grain ?? (isTrend ? (grainNamedBy(named) ?? grainFor(span)) : null);
  const time = span !== null || grain !== null ? (parts.time ?? reading.time ?? timeOf(reading, scope)) : null;
  if (grain !== null && time !== null && !isGrain(grain, time))
    throw impossible(`${time.title} can’t be grouped by ${grain}.`);
  const dated = { ...reading, span, grain, time, beside: besideOf(reading, draft, compared?.against ?? null) };
  return checked(draft.sort ? sorted(dated, draft, scope) : dated, scope);
}

/** Whether a time dimension groups the figures without `by`: `average budget over release year`, `as a line`. */
function isTimeAxis({ times, dates, cues }: Draft, { dimensions, measures }: Reading): boolean {
  if (measures.length === 0) return false;
  // `cases opened` names an event, not an axis.
  if (times.some(({ text }) => !/ed$/i.test(text)) && dates.length === 0) return true;
  return cues.has(Cue.line) && dimensions.every(({ ordered }) => !ordered);
}

/** Returns the granularity that the title of a time dimension names: `Release year`. */
function grainNamedBy(time: Member | null): string | null {
  return (
    time?.title
      .toLowerCase()
      .split(' ')
      .findLast(word => word !== 'second' && predefined.has(word)) ?? null
  );
}

const predefined = new Set('second minute hour day week month quarter year'.split(' '));

function isGrain(grain: string, { granularities }: Member): boolean {
  return predefined.has(grain) || granularities.includes(grain);
}

/** Returns the default time dimension: that of the measure's own cube, else the only one. */
function timeOf({ measures, dimensions }: Reading, { lexicon, world, choices }: Scope): Member {
  const times = [...lexicon.members.values()].filter(
    member => member.kind === MemberKind.dimension && member.type === 'time' && member.world === world,
  );
  const cube = measures[0]?.cube ?? dimensions[0]?.cube;
  const own = times.find(member => member.cube === cube);
  if (own) return own;
  if (times.length === 0) throw impossible('This data has no dates.');
  const options = times.map(member => ({ id: member.name, label: () => labelOf(member, lexicon), value: member }));
  return choose({ choices, key: 'time', about: 'the date' }, options);
}

function spanOf({ dates }: Draft): DateSpan | null {
  const [first, ...others] = dates;
  if (others.length > 0) throw impossible('I can show one period at a time, or compare two.');
  if (first?.before === 'period') throw impossible('“The previous period” requires another period, such as “in May”.');
  return first?.span ?? null;
}

interface Comparison {
  readonly main: DateSpan;
  readonly against: DateSpan;
}

/** Returns the two compared periods, or `null` if nothing is compared. */
function comparison(draft: Draft, { span: base }: Reading, at: AskedAt): Comparison | null {
  const { dates, cues, values } = draft;
  const [first, second] = dates;
  const compares = cues.has(Cue.compare) || cues.has(Cue.change) || first?.isVersus === true;
  if (second?.before !== undefined && first) return pair(first.span, spanBeside(first.span, -1, unitOf(second)));
  if (!compares || (values.length > 1 && dates.length < 2)) return null;
  if (first === undefined) return cues.has(Cue.compare) && base ? pair(base, spanBeside(base, -1)) : null;
  if (second !== undefined) return pair(first.span, second.span);
  if (first.ends) return pair(first.ends[1], first.ends[0]);
  if (first.since) return pair(spanBeside(first.since, 1), first.since);
  if (first.before !== undefined) {
    if (base) return pair(base, spanBeside(base, -1, unitOf(first)));
    return first.before === 'period' ? null : pair(spanBeside(first.span, 1), first.span);
  }
  if (cues.has(Cue.compare)) return base ? pair(base, first.span) : pair(nowBehind(first.span, at), first.span);
  return pair(first.span, spanBeside(first.span, -1));
}

/**
 * Returns the following period if it contains today: `compared with last month` compares this month. Otherwise returns
 * `null`, and the period is compared with the preceding one.
 */
function nowBehind(span: DateSpan, at: AskedAt): DateSpan | null {
  const next = spanBeside(span, 1);
  const today = todayOf(at);
  return next && (next.from ?? '') <= today && today <= (next.to ?? '') ? next : null;
}

function unitOf({ before }: DateMention): string | null {
  return before === undefined || before === 'period' ? null : before;
}

function pair(main: DateSpan | null, against: DateSpan | null): Comparison {
  if (main === null || against === null)
    throw impossible('A comparison requires two periods, such as “May 2001 with April 2001”.');
  return { main, against };
}

function besideOf(reading: Reading, { cues, dates }: Draft, against: DateSpan | null): Beside {
  if (against) return { kind: 'compare', against };
  if (cues.has(Cue.share)) return { kind: 'share' };
  // A new period ends the comparison of the previous question.
  return reading.beside.kind === 'compare' && dates.length > 0 ? { kind: 'nothing' } : reading.beside;
}

function sorted(reading: Reading, { sort, cues }: Draft, scope: Scope): Reading {
  const { dimensions, measures } = reading;
  const mention = sort?.mention ?? null;
  const named =
    mention && !/^(?:name|names|title|label)$/i.test(mention.text) ? sortMember(reading, mention, scope) : null;
  const member = named ?? (mention ? dimensions[0] : (reading.order?.member ?? measures[0]));
  if (member === undefined) throw impossible('There is nothing to sort.');
  const desc = sort?.desc ?? (member.kind === MemberKind.measure && !cues.has(Cue.ascending));
  return { ...reading, order: { member, desc } };
}

/** A column of the reading, rather than any member of that name. */
function sortMember(
  reading: Reading,
  mention: NonNullable<NonNullable<Draft['sort']>['mention']>,
  scope: Scope,
): Member | null {
  const own = [...reading.measures, ...reading.dimensions].find(column =>
    mention.targets.some(({ member }) => member === column),
  );
  if (own) return own;
  const measures = mention.targets.some(({ member }) => member.kind === MemberKind.measure);
  const member = measures ? measureOf(mention, scope) : dimensionOf(mention, scope);
  throw impossible(`“${member?.title ?? mention.text}” is not a column of the answer, so I can’t sort by it.`);
}

const additive = new Set(['count', 'total']);

/** Rejects readings that a query cannot express or whose result would be unreadable. */
function checked(reading: Reading, { lexicon }: Scope): Reading {
  const { measures, dimensions, grain, beside, conditions, segments } = reading;
  const [measure] = measures;
  if (beside.kind === 'share') {
    if (measure === undefined || !additive.has(measure.aggregate ?? '')) {
      throw impossible(`A share requires a figure that adds up, which ${measure?.title ?? 'this one'} does not.`);
    }
    const isSplit = dimensions.length > 0 || grain !== null || segments.length > 0 || conditions.length > 0;
    if (!isSplit) throw impossible(`A share of ${measure.title} requires a grouping or a condition.`);
  }
  refuseUnjoined(reading, lexicon);
  if (beside.kind === 'share') refuseUnjoined(wholeOf(reading), lexicon);
  if (dimensions.length > 3) throw impossible('I can break down figures by at most three dimensions.');
  if (measures.length > 6) throw impossible('I can show at most six figures.');
  return reading;
}

/** Rejects members without a join path. The whole of a share needs one too, without the members that split it. */
function refuseUnjoined(reading: Reading, { cubes }: Lexicon): void {
  const { measures, dimensions, segments, conditions, time } = reading;
  const members = [
    ...measures,
    ...dimensions,
    ...segments,
    ...conditions.map(({ member }) => member),
    ...(time ? [time] : []),
  ];
  const names = members.map(({ cube }) => cube);
  if (canJoin(names, cubes)) return;
  const titles = [...new Set(members.map(({ cubeTitle, title }) => `${title} (${cubeTitle})`))].slice(0, 4);
  throw impossible(`${titles.join(' and ')} can’t be combined, because the data model doesn’t join them.`);
}
