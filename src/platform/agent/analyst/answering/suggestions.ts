import { isAnswerable, type Session } from '../session.js';
import { type Lexicon, type Member, MemberKind, withoutBrackets } from '../vocabulary/lexicon.js';

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
  const measures = members.filter(({ kind }) => kind === MemberKind.measure);
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
