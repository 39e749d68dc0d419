import type { Reading } from '../reading/reading.js';
import { queriesOf } from '../reading/to-query.js';
import { isAnswerable, type Session } from '../session.js';
import type { DateSpan } from '../time/date-span.js';
import { isAdditive, isFigure, type Lexicon, type Member, MemberKind, withoutBrackets } from '../vocabulary/lexicon.js';

/** Maximum number of suggested questions. */
const maxSuggestions = 6;
/** Maximum number of candidates to check. */
const maxTried = 24;

/** Suggests questions that the session can answer. Suggestions of the model's author come first. */
export async function suggestQuestions(lexicon: Lexicon, session: Session): Promise<readonly string[]> {
  const questions: string[] = [];
  for (const question of [...new Set([...lexicon.suggestions, ...candidates(lexicon)])].slice(0, maxTried)) {
    if (questions.length === maxSuggestions) break;
    if (await isAnswerable(session, question)) questions.push(question);
  }
  return questions;
}

/**
 * Creates candidate questions. Alternates between cubes and kinds of questions, so that few cubes yield many kinds and
 * many cubes yield one question each.
 */
function candidates({ cubes, members }: Lexicon): string[] {
  const lists = cubes
    .slice(0, 6)
    .map(({ name }) => questionsOf([...members.values()].filter(({ cube }) => cube === name)));
  const longest = Math.max(0, ...lists.map(list => list.length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap(list => list[index] ?? [])).flat();
}

function questionsOf(members: readonly Member[]): string[] {
  const measures = members.filter(isFigure);
  const names = members.filter(
    ({ kind, type, isPrimaryKey }) => kind === MemberKind.dimension && type === 'string' && !isPrimaryKey,
  );
  const time = members.find(({ type }) => type === 'time');
  const main = measures.find(({ aggregate }) => aggregate === 'count') ?? measures[0];
  if (main === undefined) return [];
  const other =
    measures.find(({ aggregate }) => aggregate === 'average') ?? measures.find(measure => measure !== main) ?? main;
  const total = measures.find(({ aggregate }) => aggregate === 'total') ?? main;
  const [first, second = first] = names;
  const title = (member: Member) => withoutBrackets(member.title);
  return [
    ...(time ? [`${title(main)} by month`] : []),
    ...(first ? [`Top 5 ${title(first)} by ${title(other)}`] : []),
    ...(second ? [`${title(total)} by ${title(second)}`] : []),
    ...(second ? [`Share of ${title(main)} by ${title(second)}`] : []),
    ...(time ? [`${title(other)} last month compared with the month before`] : []),
    `What is the ${title(other)}?`,
    ...(time ? [`${title(total)} over time`] : []),
  ];
}

/**
 * Maximum numbers of suggested follow-up questions, of groupings in them, and of dimensions whose values are loaded.
 */
const maxFollowUps = 3;
const maxGroups = 2;
const maxGroupsTried = 4;

interface AnswerContext {
  readonly lexicon: Lexicon;
  /** Dimensions to suggest. */
  readonly groups: readonly Member[];
  /** Returns the reading of a question that follows the answer, or `null` if it has none. */
  readonly readingOf: (question: string) => Promise<Reading | null>;
}

/**
 * Returns dimensions by which an answer can be broken down further.
 * @param isVaried - whether a dimension has several values for the caller.
 */
export async function findGroups(
  reading: Reading,
  lexicon: Lexicon,
  isVaried: (member: Member) => Promise<boolean>,
): Promise<readonly Member[]> {
  const groups: Member[] = [];
  for (const member of groupsFor(reading, lexicon)) {
    if (groups.length === maxGroups) break;
    if (await isVaried(member)) groups.push(member);
  }
  return groups;
}

/** Suggests follow-up questions that the analyst can answer. */
export async function suggestFollowUps(reading: Reading, context: AnswerContext): Promise<readonly string[]> {
  const shown = JSON.stringify(queriesOf(reading));
  const questions: string[] = [];
  for (const question of followUpsOf(reading, context.lexicon, context.groups)) {
    if (questions.length === maxFollowUps) break;
    const next = await context.readingOf(question);
    if (next !== null && JSON.stringify(queriesOf(next)) !== shown) questions.push(question);
  }
  return questions;
}

/** Returns the dimensions by which an answer may be broken down, limited because each one costs a query. */
function groupsFor({ measures: [measure], dimensions, conditions }: Reading, { members }: Lexicon): Member[] {
  const used = new Set([...dimensions, ...conditions.map(({ member }) => member)]);
  return [...members.values()]
    .filter(
      member =>
        member.cube === measure?.cube &&
        member.kind === MemberKind.dimension &&
        member.suggestsValues &&
        !member.isPrimaryKey &&
        !used.has(member),
    )
    .slice(0, maxGroupsTried);
}

function followUpsOf(reading: Reading, { members }: Lexicon, [first, second]: readonly Member[]): string[] {
  const { measures, dimensions, grain, span, computation } = reading;
  const [measure] = measures;
  if (measure === undefined) return [];
  const title = (member: Member) => withoutBrackets(member.title);
  const others = [...members.values()].filter(member => member.cube === measure.cube && !measures.includes(member));
  const figure = others.find(member => isFigure(member) && member.aggregate !== measure.aggregate);
  const hasTime = others.some(({ type }) => type === 'time');
  const isCompared = computation.kind === 'compare';
  const isSingle = dimensions.length + (grain === null ? 0 : 1) === 1 && computation.kind === 'none';
  return [
    ...(isCompared && isAdditive(measure) ? [`Why did ${title(measure)} change?`] : []),
    ...(hasTime && grain === null && !isCompared ? [span !== null && isShort(span) ? 'By day' : 'By month'] : []),
    ...(first ? [`By ${title(first)}`] : []),
    ...(isSingle && dimensions[0] && isAdditive(measure)
      ? [`Share of ${title(measure)} by ${title(dimensions[0])}`]
      : []),
    ...(span !== null && computation.kind === 'none' ? ['Compared with the previous period'] : []),
    ...(figure ? [`And ${title(figure)}?`] : []),
    ...(second ? [`By ${title(second)}`] : []),
  ];
}

/** Whether a period is at most about one month long. */
function isShort({ from, to }: DateSpan): boolean {
  return from !== null && to !== null && Date.parse(to) - Date.parse(from) < 32 * 24 * 3600 * 1000;
}
