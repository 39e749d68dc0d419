import { type DateContext, type DateSpan, grainFor, isFiner } from '../time/date-span.js';
import { Cue } from '../vocabulary/cues.js';
import { type Member, MemberKind } from '../vocabulary/lexicon.js';
import { stemsOf } from '../vocabulary/words.js';
import { type Draft, isTimeRanked } from './draft.js';
import { choose, impossible, labelOf, NeedsDays } from './outcome.js';
import type { Reading } from './reading.js';
import type { ResolvedParts } from './resolve-draft.js';
import type { Scope } from './resolve-members.js';

/** A question whose time dimension and granularity are resolved. */
export interface TimeContext {
  readonly parts: ResolvedParts;
  readonly draft: Draft;
  readonly scope: Scope;
  readonly at: DateContext;
}

/** Returns the granularity that a question requests or needs, `null` without a grouping by time. */
export function grainOf(
  reading: Reading,
  parts: ResolvedParts,
  draft: Draft,
  { compared, span }: { readonly compared: object | null; readonly span: DateSpan | null },
): string | null {
  const { cues, times, dates } = draft;
  if (reading.grain !== null) return reading.grain;
  const named = times.length > 0 && dates.length === 0 ? parts.time : null;
  const isTrend =
    cues.has(Cue.trend) ||
    isTimeAxis(draft, reading) ||
    (cues.has(Cue.change) && compared === null && reading.dimensions.length === 0);
  if (isTrend || cues.has(Cue.running))
    return grainNamedBy(times[0]?.text ?? '', named) ?? (isTimeRanked(draft) ? 'day' : grainFor(span));
  return cues.has(Cue.unusual) ? 'day' : null;
}

/**
 * Returns the granularity, or the longer interval of the data if the question names none: `year` if all dates are the
 * first day of a year. @throws {EarlyOutcome} if the question names a finer granularity, because most groups would
 * then be empty.
 */
export function grainOfData(grain: string | null, reading: Reading, context: TimeContext): string | null {
  const { parts, scope, at, draft } = context;
  if (grain === null) return null;
  if (at.covered === undefined) throw new NeedsDays(timeOf({ reading, parts, scope }));
  const step = at.covered?.step ?? 'day';
  if (!isFiner(grain, step)) return grain;
  if (reading.grain === null && !draft.cues.has(Cue.unusual)) return step;
  const { title } = timeOf({ reading, parts, scope });
  const named = reading.measures.slice(0, 1).map(measure => `${measure.title} by ${step}`);
  throw impossible(`${title} has one value per ${step}, so it can’t be grouped by ${grain}.`, named);
}

/**
 * Whether a time dimension groups the measures without the word `by`: `average budget over release year`, `as a line`.
 */
function isTimeAxis({ times, dates, cues }: Draft, { dimensions, measures }: Reading): boolean {
  if (measures.length === 0) return false;
  // `cases opened` names an event, not an axis.
  if (times.some(({ text }) => !/ed$/i.test(text)) && dates.length === 0) return true;
  return cues.has(Cue.line) && dimensions.every(({ ordered }) => !ordered);
}

/** Returns the granularity that the question's name or the title of a time dimension contains: `Release year`. */
function grainNamedBy(text: string, time: Member | null): string | null {
  if (time === null) return null;
  const grainIn = (name: string) =>
    name
      .toLowerCase()
      .split(' ')
      .findLast(word => word !== 'second' && predefined.has(word));
  return grainIn(text) ?? grainIn(time.title) ?? null;
}

const predefined = new Set('second minute hour day week month quarter year'.split(' '));

export function isGrain(grain: string, { granularities }: Member): boolean {
  return predefined.has(grain) || granularities.includes(grain);
}

/**
 * Returns the time dimension of a reading: the named one, otherwise one of the measure's own cube, otherwise the only
 * one.
 */
export function timeOf({
  reading,
  parts,
  scope,
}: Pick<TimeContext, 'parts' | 'scope'> & { readonly reading: Reading }): Member {
  const { lexicon, joinGroup, choices } = scope;
  const named = parts.time ?? reading.time;
  if (named) return named;
  const times = [...lexicon.members.values()].filter(
    member => member.kind === MemberKind.dimension && member.type === 'time' && member.joinGroup === joinGroup,
  );
  const cube = reading.measures[0]?.cube ?? reading.dimensions[0]?.cube;
  const own = times.filter(member => member.cube === cube);
  const [first] = own;
  // Cancellations are counted by Cancellation date, not by the first date of the cube.
  const figure = new Set(stemsOf(reading.measures[0]?.title ?? ''));
  const alike = own.filter(({ title }) => stemsOf(title).some(stem => figure.has(stem)));
  if (first) return alike.length === 1 ? (alike[0] ?? first) : first;
  if (times.length === 0) throw impossible('This data has no dates.');
  const options = times.map(member => ({ id: member.name, label: () => labelOf(member, lexicon), value: member }));
  return choose({ choices, key: 'time', about: 'the date' }, options);
}
