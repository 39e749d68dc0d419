import * as z from 'zod/mini';
import { ToolName } from '../../../../contract/chat.js';
import { Query } from '../../../../contract/query.js';
import type { PastTurn } from '../../agent.js';
import { type DateSpan, dayAfter } from '../time/date-span.js';
import type { Lexicon, Member } from '../vocabulary/lexicon.js';
import { readWords, stemsOf } from '../vocabulary/words.js';
import type { Choice } from './outcome.js';
import { ChartKind, type Computation, type Condition, emptyReading, type Reading } from './reading.js';

const PastInput = z.object({ query: Query, vegaSpec: z.optional(z.looseObject({ mark: z.optional(z.unknown()) })) });

/** Returns the queries of a turn in order. */
function queriesIn({ calls }: PastTurn): z.infer<typeof PastInput>[] {
  return calls.flatMap(({ name, input }) => {
    const parsed = name === ToolName.dataQuery ? PastInput.safeParse(input) : null;
    return parsed?.success ? [parsed.data] : [];
  });
}

/**
 * Restores the reading of the last turn that queried data, regardless of the agent. Returns `null` if the model no
 * longer has all of its members.
 */
export function lastReading(history: readonly PastTurn[], lexicon: Lexicon): Reading | null {
  for (const turn of history.toReversed()) {
    const [first, second] = queriesIn(turn);
    if (first === undefined) continue;
    const main = readingOf(first.query, lexicon);
    if (main === null) return null;
    return {
      ...main,
      computation: computationOf(main, second && readingOf(second.query, lexicon)),
      chart: chartOf(first.vegaSpec, main),
    };
  }
  return null;
}

/** Returns `null` if the model no longer has all members of the query. */
function readingOf(query: Query, { members }: Lexicon): Reading | null {
  const named = [query.measures, query.dimensions, query.segments].map(names => names ?? []);
  const [measures = [], dimensions = [], segments = []] = named.map(names =>
    names.flatMap(name => members.get(name) ?? []),
  );
  const isWhole = measures.length + dimensions.length + segments.length === named.flat().length;
  if (!isWhole || measures.length + dimensions.length === 0) return null;
  const [time] = query.timeDimensions ?? [];
  const conditions = (query.filters ?? []).flatMap(filter => conditionOf(filter, members));
  const open = conditions.find(({ operator }) => operator === 'beforeDate' || operator === 'afterOrOnDate');
  return {
    ...emptyReading,
    measures,
    dimensions,
    segments,
    time: (time && members.get(time.dimension)) ?? open?.member ?? null,
    grain: time?.granularity ?? null,
    span: spanOf(time?.dateRange, open),
    conditions: conditions.filter(condition => condition !== open),
    order: query.limit == null ? null : orderOf(query, members),
    limit: query.limit ?? null,
  };
}

function spanOf(range: unknown, open: Condition | undefined): DateSpan | null {
  if (Array.isArray(range)) {
    const [from, to = from] = range.map(String);
    return from === undefined || to === undefined ? null : { from, to };
  }
  const value = open?.values[0];
  if (value === undefined) return null;
  return open?.operator === 'beforeDate' ? { from: null, to: dayAfter(value, -1) } : { from: value, to: null };
}

function conditionOf(filter: NonNullable<Query['filters']>[number], members: Lexicon['members']): Condition[] {
  if (!('member' in filter) || filter.operator === 'measureFilter') return [];
  const member = members.get(filter.member);
  return member ? [{ member, operator: filter.operator, values: (filter.values ?? []).map(String) }] : [];
}

/** Returns the explicit order. Without a limit, the default order for the columns applies. */
function orderOf({ order }: Query, members: Lexicon['members']): Reading['order'] {
  const [first] = Array.isArray(order) ? order : Object.entries(order ?? {});
  if (!Array.isArray(first)) return null;
  const member: Member | undefined = members.get(first[0]);
  return member ? { member, desc: first[1] === 'desc' } : null;
}

function computationOf(main: Reading, second: Reading | null | undefined): Computation {
  if (!second) return { kind: 'none' };
  const { measures, segments } = second;
  const isOfRows = main.segments.length === 1 && segments.length < 2 && main.segments[0] !== segments[0];
  if (isOfRows && (segments.length === 1 || main.measures[0] !== measures[0]))
    return { kind: 'compare rows', against: { measures, segments } };
  if (main.measures[0] !== measures[0]) return { kind: 'none' };
  if (
    second.span !== null &&
    main.span !== null &&
    (second.span.from !== main.span.from || second.span.to !== main.span.to)
  ) {
    return { kind: 'compare', against: second.span, ranking: null };
  }
  const isSplit = second.dimensions.length > 0 || second.grain !== null;
  const isSame = (one: Condition) => second.conditions.some(other => JSON.stringify(other) === JSON.stringify(one));
  return { kind: 'share', part: isSplit ? main.conditions.filter(one => !isSame(one)) : [] };
}

/**
 * Returns the chart type if the user requested it; otherwise `null`. A chart counts as requested if it is a table or
 * differs from the default for its columns.
 */
function chartOf(spec: z.infer<typeof PastInput>['vegaSpec'], { grain, dimensions }: Reading): ChartKind {
  if (grain === null && dimensions.length === 0) return ChartKind.auto;
  const mark = spec?.mark;
  const type = typeof mark === 'object' && mark !== null && 'type' in mark ? mark.type : mark;
  if (type === 'point') return ChartKind.scatter;
  if (type === 'arc') return ChartKind.pie;
  if (spec === undefined) return dimensions.length + (grain === null ? 0 : 1) <= 2 ? ChartKind.table : ChartKind.auto;
  if (type === 'line') return grain === null ? ChartKind.line : ChartKind.auto;
  return type === 'bar' && grain !== null ? ChartKind.bar : ChartKind.auto;
}

const ordinals: readonly RegExp[] = [
  /^(?:1|first|1st|former|one)$/,
  /^(?:2|second|2nd|latter|two)$/,
  /^(?:3|third|3rd|three)$/,
  /^(?:4|fourth|4th|four)$/,
];
const fillers = new Set('the one option choice number i mean meant please yes ok okay'.split(' '));
const yes = /^(?:yes|y|yep|sure|right|exactly|correct|ok|okay)\b/i;

/** Returns the option that a text names by position or by its words; `undefined` if it names none. */
export function readChoice(text: string, choices: readonly Choice[]): Choice | undefined {
  if (text.length > 200 || choices.length === 0) return undefined;
  if (choices.length === 1 && yes.test(text.trim())) return choices[0];
  const words = readWords(text).filter(({ norm }) => !fillers.has(norm) && norm !== ',');
  const [only, ...others] = words;
  if (only && others.length === 0) {
    const place = ordinals.findIndex(pattern => pattern.test(only.norm));
    if (place >= 0) return choices[place];
    if (only.norm === 'last') return choices.at(-1);
  }
  const stems = words.filter(({ stop }) => !stop).map(({ stem }) => stem);
  if (stems.length === 0) return undefined;
  const named = choices.filter(({ label }) => {
    const own = new Set(stemsOf(label));
    return stems.every(stem => own.has(stem));
  });
  const exact = named.filter(({ label }) => stemsOf(label).length === stems.length);
  return [named, exact].find(({ length }) => length === 1)?.[0];
}
