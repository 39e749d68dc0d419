import { titleOf } from '../answering/describe-reading.js';
import { readDates } from '../time/date-phrases.js';
import { Cue } from '../vocabulary/cues.js';
import { isOtherLanguage, toEnglish } from '../vocabulary/languages.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import { maxWords, normalize, readWords, stemsOf, type Word } from '../vocabulary/words.js';
import { unaccounted } from './account.js';
import { ambiguousCues, ambiguousDates, chooseGrains, preferValues } from './ambiguous-dates.js';
import { applyTime } from './apply-time.js';
import { defaultJoinGroup } from './default-join-group.js';
import type { Draft } from './draft.js';
import { draftOf } from './draft-reader.js';
import { applyFollowUp, isFollowUp, withoutRemoved } from './follow-up.js';
import { piecesOf } from './mentions.js';
import { confirmed, EarlyOutcome, impossible, labelOf, NeedsValues, type Outcome } from './outcome.js';
import type { Piece } from './pieces.js';
import type { Reading } from './reading.js';
import { causing, isGreeting, isSaid, overview, refusalOf } from './refusals.js';
import { freshReading, resolveDraft } from './resolve-draft.js';
import { joinGroupOf, rowName, type Scope } from './resolve-members.js';
import type { Understanding } from './understanding.js';
import { maxCorrections, readUnknown, rejectUnknown } from './unknown-words.js';

/** Maximum length of a question in characters. */
const maxText = 2000;

/**
 * Interprets a question without I/O.
 * @throws NeedsValues if dimension values must be loaded first.
 */
export async function understand(text: string, context: Understanding): Promise<Outcome> {
  try {
    const isKnown = (word: string) => context.lexicon.vocabulary.has(normalize(word));
    const outcome = await read(toEnglish(text.replace(axis, ''), isKnown), context, maxCorrections);
    const isForeign =
      outcome.kind === 'refuse' && outcome.refusal.reason === 'unknown' && isOtherLanguage(outcome.refusal.words);
    return isForeign ? { kind: 'refuse', refusal: { reason: 'language' } } : outcome;
  } catch (error) {
    if (error instanceof EarlyOutcome) return error.outcome;
    throw error;
  }
}

async function read(text: string, context: Understanding, corrections: number): Promise<Outcome> {
  const { lexicon, timeSlicer, aim } = context;
  if (timeSlicer.isDue) await timeSlicer.rest();
  if (aim === undefined && isGreeting(text)) return { kind: 'help' };
  if (aim === undefined && overview.test(text))
    return read(text.replace(overview, ' '), { ...context, aim: 'overview' }, corrections);
  const words = readWords(text);
  if (text.length > maxText || words.length === maxWords) return { kind: 'refuse', refusal: { reason: 'too long' } };
  const isKnown = ({ stem }: Word) => lexicon.byStem.has(stem);
  // The whole text of questions about a cause was already checked: `what caused the drop` does not delete anything.
  const refusal = aim === 'contributions' ? undefined : refusalOf(text, words, isKnown);
  if (refusal) return { kind: 'refuse', refusal };
  if (lexicon.members.size === 0) return { kind: 'refuse', refusal: { reason: 'empty model' } };
  if (aim === undefined && isSaid(causing, text, words, isKnown)) return readCause(text, context, corrections);
  return readQuestion({ text, words }, context, corrections);
}

interface QuestionText {
  readonly text: string;
  readonly words: readonly Word[];
}

async function readQuestion(
  { text, words }: QuestionText,
  context: Understanding,
  corrections: number,
): Promise<Outcome> {
  const { lexicon, values, base, at, timeSlicer } = context;
  const dates = readDates(text, at);
  const found = await piecesOf(
    words,
    dates,
    { lexicon, values, corrected: context.corrected ?? new Set() },
    timeSlicer,
  );
  rejectCycles(text, words, found);
  const bare = ambiguousDates(found);
  const pieces = values === null ? found : chooseGrains(preferValues(found, bare, values), context.choices);
  const draft = draftOf(pieces, context.aim ?? 'figures');
  draft.isOfSame = /\b(?:their|its)\b/i.test(text);
  const unknown = pieces.flatMap(piece => (piece.kind === 'unknown' ? [piece.word] : []));
  const joinGroup = joinGroupOf(draft, lexicon) ?? defaultJoinGroup(context);
  // In `declined orders`, a word for a change may also be a value.
  const isUncertain =
    unknown.length + bare.length + ambiguousCues(found).length > 0 || draft.cues.has(Cue.change) || words.some(isCode);
  if (values === null && isUncertain) throw new NeedsValues(null, joinGroup);
  if (unknown.length > 0) return readUnknown(text, { unknown, joinGroup }, context, { read, corrections });
  if (draft.unknown.length > 0) return rejectUnknown(draft.unknown, context);
  const previous = base !== null && isFollowUp(draft, text) ? withoutRemoved(base, draft) : null;
  if (joinGroup === null || isEmpty(draft, base)) return { kind: 'help' };
  const scope = { lexicon, joinGroup, choices: context.choices, values };
  const parts = resolveDraft(draft, scope, previous);
  const reading = previous ? applyFollowUp(previous, parts, draft) : freshReading(parts, draft, scope);
  const timed = withGrouping(applyTime(reading, parts, draft, scope, at), draft, scope);
  const spoken = pieces.map(piece => ({ piece, text: textBetween(text, words[piece.from], words[piece.to - 1]) }));
  return accountedFor(timed, { text, ignored: unaccounted(spoken, draft, timed, lexicon) }, context);
}

/** Whether a word without content may be a code in the data, because it is in capitals: `A grades`, `flights to OR`. */
function isCode({ text, stop }: Word, index: number): boolean {
  return stop && index > 0 && text !== 'I' && /^\p{Lu}{1,2}$/u.test(text);
}

/** Reads the change in a question about its cause. Refuses questions that name no change. */
async function readCause(text: string, context: Understanding, corrections: number): Promise<Outcome> {
  const outcome = await read(text.replace(causing, ' '), { ...context, aim: 'contributions' }, corrections);
  const isRead = outcome.kind === 'reading' || outcome.kind === 'ask';
  const isExplained = outcome.kind === 'refuse' && outcome.refusal.reason === 'impossible';
  return isRead || isExplained ? outcome : { kind: 'refuse', refusal: { reason: 'causes' } };
}

/**
 * Adds the grouping that a chart or a ranking requires. @throws EarlyOutcome with a question if the user must choose
 * it.
 */
function withGrouping(reading: Reading, { cues }: Draft, { lexicon, joinGroup, choices }: Scope): Reading {
  const { measures, dimensions, grain } = reading;
  const isChart = [Cue.bar, Cue.pie, Cue.scatter].some(cue => cues.has(cue));
  const isRanked = reading.limit !== null;
  const [measure] = measures;
  if (!(isChart || isRanked) || measure === undefined || dimensions.length > 0 || grain !== null) return reading;
  const groups = [...lexicon.members.values()].filter(
    member =>
      member.kind === MemberKind.dimension &&
      member.type === 'string' &&
      member.joinGroup === joinGroup &&
      !member.isPrimaryKey,
  );
  const options = groups.map(member => ({
    id: member.name,
    label: () => `by ${labelOf(member, lexicon)}`,
    value: member,
  }));
  const name = isRanked ? rowName({ lexicon, joinGroup }) : null;
  if (name) return { ...reading, dimensions: [name] };
  if (isRanked && groups.length === 0)
    throw impossible(`${measure.title} is a single number, so there is nothing to rank. Ask for “top … by …”.`);
  const open = { choices, key: 'group', about: `${measure.title} by …` };
  return { ...reading, dimensions: [confirmed(open, options)] };
}

function textBetween(text: string, first: Word | undefined, last: Word | undefined): string {
  return first && last ? text.slice(first.from, last.to) : '';
}

/** Requests confirmation before ignoring words that are not part of the reading. */
function accountedFor(
  reading: Reading,
  { text, ignored }: { readonly text: string; readonly ignored: readonly string[] },
  { choices }: Understanding,
): Outcome {
  const about = ignored.slice(0, 3).join(' … ');
  const key = `ignore ${about}`;
  if (ignored.length === 0 || choices.has(key)) return { kind: 'reading', reading };
  const label = titleOf(reading, 'en');
  const shown = new Set(stemsOf(label));
  // For `mpg horsepower`, the reading contains all words, but their relation is unclear.
  const isShown = ignored.every(text => stemsOf(text).every(stem => shown.has(stem)));
  if (isShown) return { kind: 'ask', key, about: text.trim(), choices: [{ id: 'ignore', label }] };
  return { kind: 'ask', key, about, choices: [{ id: 'ignore', label }], ignored: ignored.slice(0, 3) };
}

const cycle =
  /\b(?:hour|day|week|month|quarter)s? of (?:the |a |each )?(?:day|week|month|quarter|year)\b|\b(?:peak|rush|busy|busiest|quietest) hours\b/i;

/**
 * Rejects `by hour of the day`. Granularities distinguish the same hour on different days, so they cannot combine it
 * across days.
 */
function rejectCycles(text: string, words: readonly Word[], pieces: readonly Piece[]): void {
  const said = cycle.exec(text);
  if (said === null) return;
  const [from, to] = [said.index, said.index + said[0].length];
  const isNamed = pieces.some(piece => {
    const [first, last] = [words[piece.from], words[piece.to - 1]];
    return (piece.kind === 'mention' || piece.kind === 'date') && first && last && first.from < to && last.to > from;
  });
  if (!isNamed)
    throw impossible(
      `This data has no column for the ${said[0].toLowerCase()}. I can group by consecutive dates and times, but not by times that recur, such as the hour of the day.`,
    );
}

/** Removes the names of axes: `X=Region Y=SUM(Profit)`. */
const axis = /\b[xy]\s*[=:]\s*(?=\p{L})/giu;

/** Whether a question neither requests data nor changes the previous reading. */
function isEmpty(draft: Draft, base: Reading | null): boolean {
  if (draft.aim === 'overview') return false;
  const { measures, by, values, segments, missing, dates, grains, conditions, times, removed } = draft;
  const { rank, limit, chart, sort, cues, unbound } = draft;
  if ([measures, by, values, segments, missing, dates, grains, conditions, times, removed].some(one => one.length > 0))
    return false;
  // `the slowest car` names rows but no measure. It is not empty.
  if (base === null) return rank?.measure == null && draft.entities.size === 0 && unbound === null;
  const changes = [rank, limit, chart, sort, unbound].some(change => change !== null);
  return !changes && ![Cue.reset, Cue.trend, Cue.compare, Cue.change, Cue.share].some(cue => cues.has(cue));
}
