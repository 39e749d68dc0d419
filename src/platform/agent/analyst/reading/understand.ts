import type { TimeSlicer } from '../../../runtime/time-slicer.js';
import { titleOf } from '../answering/describe-reading.js';
import { readDates } from '../time/date-phrases.js';
import type { DateContext } from '../time/date-span.js';
import { Cue, isCueWord } from '../vocabulary/cues.js';
import type { DimensionValues } from '../vocabulary/dimension-values.js';
import { isOtherLanguage, toEnglish } from '../vocabulary/languages.js';
import { isFigure, type Lexicon, type Member, MemberKind } from '../vocabulary/lexicon.js';
import type { Speller } from '../vocabulary/spelling.js';
import { aggregateOf, maxWords, normalize, readWords, stemOf, stemsOf, type Word } from '../vocabulary/words.js';
import { unaccounted } from './account.js';
import { ambiguousCues, ambiguousDates, chooseGrains, preferValues } from './ambiguous-dates.js';
import { applyTime } from './apply-time.js';
import { quantitiesOf } from './default-measures.js';
import type { Aim, Draft } from './draft.js';
import { draftOf } from './draft-reader.js';
import { applyFollowUp, isFollowUp, withoutRemoved } from './follow-up.js';
import { piecesOf } from './mentions.js';
import {
  type Choices,
  choose,
  confirmed,
  EarlyOutcome,
  impossible,
  labelOf,
  NeedsValues,
  type Outcome,
} from './outcome.js';
import type { Piece } from './pieces.js';
import type { Reading } from './reading.js';
import { causing, isGreeting, isSaid, overview, refusalOf } from './refusals.js';
import { freshReading, resolveDraft } from './resolve-draft.js';
import { joinGroupOf, rowName, type Scope } from './resolve-members.js';

/** Maximum length of a question in characters. */
const maxText = 2000;
/** Maximum length of words whose spelling is corrected only after confirmation by the user. */
const maxShortWord = 4;
/** Maximum number of unknown words to correct. */
const maxCorrections = 4;

/** Maximum number of strings to search for in dimensions with too many values to load. */
const maxSearches = 2;

/** Context for interpreting a question. */
interface Understanding {
  readonly lexicon: Lexicon;
  /** `null` before values are loaded. */
  readonly values: readonly DimensionValues[] | null;
  readonly speller: Speller;
  /** Strings already searched for in dimensions with too many values to load. */
  readonly searched: readonly string[];
  /** Reading of the previous question. */
  readonly base: Reading | null;
  readonly at: DateContext;
  readonly choices: Choices;
  /** Words of the question with a corrected spelling. */
  readonly corrected?: ReadonlySet<string>;
  /** `figures` by default. */
  readonly aim?: Aim;
  /** Yields to the event loop during long questions. */
  readonly timeSlicer: TimeSlicer;
}

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
  const isUncertain = unknown.length + bare.length + ambiguousCues(found).length > 0 || draft.cues.has(Cue.change);
  if (values === null && isUncertain) throw new NeedsValues(null, joinGroup);
  if (unknown.length > 0) return readAgain(text, { unknown, joinGroup }, context, corrections);
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

/** Returns the join group for a question that mentions no members. */
function defaultJoinGroup({ base, lexicon, aim }: Understanding): string | null {
  return joinGroupOfReading(base) ?? onlyJoinGroup(lexicon) ?? (aim === 'overview' ? mainJoinGroup(lexicon) : null);
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

const cycle = /\b(?:hour|day|week|month|quarter)s? of (?:the |a |each )?(?:day|week|month|quarter|year)\b/i;

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

interface NotKnown {
  readonly unknown: readonly Word[];
  readonly joinGroup: string | null;
}

/** Weekdays of groups such as the weekend, used if neither the model nor the data contains the word. */
const dayGroups: Readonly<Record<string, string>> = {
  weekend: 'Saturday or Sunday',
  weekends: 'Saturdays or Sundays',
  weekdays: 'Mondays, Tuesdays, Wednesdays, Thursdays or Fridays',
};

/** Removes the names of axes: `X=Region Y=SUM(Profit)`. */
const axis = /\b[xy]\s*[=:]\s*(?=\p{L})/giu;

/** Maximum number of letters of an abbreviation in a title. */
const maxInitials = 6;

/** Replaces words that the model does not contain with a title's abbreviation: `miles per gallon` is MPG. */
function abbreviated(text: string, unknown: readonly Word[], { lexicon }: Understanding): string | null {
  const initials = new Set(
    [...lexicon.members.values()].flatMap(({ title }) => title.match(/\b\p{Lu}{2,6}\b/gu) ?? []),
  );
  const words = initials.size > 0 ? readWords(text) : [];
  const isUnknown = (word: Word) => unknown.some(({ from }) => from === word.from);
  for (let length = maxInitials; length > 1; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const span = words.slice(start, start + length);
      const [first, last] = [span[0], span.at(-1)];
      const short = span.map(({ norm }) => norm[0]?.toUpperCase()).join('');
      const isNew = span.every(({ norm, stem }) => aggregateOf(norm) !== undefined || !lexicon.byStem.has(stem));
      if (first && last && initials.has(short) && isNew && span.filter(isUnknown).length > 1)
        return `${text.slice(0, first.from)}${short}${text.slice(last.to)}`;
    }
  }
  return null;
}

/** Handles unknown words: searches for them in dimensions with too many values to load, or corrects their spelling. */
async function readAgain(
  text: string,
  { unknown, joinGroup }: NotKnown,
  context: Understanding,
  corrections: number,
): Promise<Outcome> {
  const { searched } = context;
  const values = context.values ?? [];
  const sought = soughtText(unknown);
  const isLarge = values.some(({ complete }) => !complete) && searched.length < maxSearches;
  if (sought !== null && isLarge && !searched.includes(sought)) throw new NeedsValues(sought, joinGroup);
  const shortened = abbreviated(text, unknown, context);
  if (shortened !== null) return read(shortened, context, corrections);
  const [word] = unknown.filter(one => one.quote === null);
  const days = word && daysOf(word, text);
  if (word && days) return read(`${text.slice(0, word.from)}${days}${text.slice(word.to)}`, context, corrections);
  const corrected =
    word && corrections > 0 && unknown.length <= maxCorrections
      ? await readCorrected(text, word, context, corrections)
      : null;
  const rows = word && corrected === null && corrections > 0 ? await readRows(text, word, context, corrections) : null;
  return (
    corrected ??
    rows ??
    rejectUnknown(
      unknown.map(one => one.text),
      context,
    )
  );
}

/** Returns the weekdays of `weekend` or `weekdays`. @throws {EarlyOutcome} if the question compares such groups. */
function daysOf({ norm }: Word, text: string): string | undefined {
  if (/^weekends?$/.test(norm) && /\bweekdays?\b/i.test(text))
    throw impossible('I can’t compare groups of days. Ask for each of them separately.');
  return Object.hasOwn(dayGroups, norm) ? dayGroups[norm] : undefined;
}

/** Reads a question with a corrected word. Returns `null` if no correction helps. */
async function readCorrected(
  text: string,
  word: Word,
  context: Understanding,
  corrections: number,
): Promise<Outcome | null> {
  const { lexicon, choices, speller } = context;
  const values = context.values ?? [];
  const near = speller.correct(word.norm, values);
  if (near.length === 0) return null;
  const options = near.map(item => ({ id: item, label: () => writtenAs(item, lexicon, values), value: item }));
  const open = { choices, key: `spelling ${word.norm}`, about: word.text };
  const meant = choose(open, options);
  const corrected = new Set([...(context.corrected ?? []), meant]);
  const outcome = await read(
    `${text.slice(0, word.from)}${meant}${text.slice(word.to)}`,
    { ...context, corrected },
    corrections - 1,
  );
  // If the correction does not help, the message quotes the original word.
  const isStillUnknown =
    outcome.kind === 'refuse' && outcome.refusal.reason === 'unknown' && outcome.refusal.words.includes(meant);
  if (isStillUnknown) return null;
  // A short word, such as `trip`, is rarely a typo of a similar word.
  if (word.norm.length <= maxShortWord && !isCueWord(meant)) {
    if (outcome.kind === 'refuse') return null;
    confirmed(open, options);
  }
  if (outcome.kind !== 'reading' || choices.has(`spelling ${word.norm}`)) return outcome;
  const correction = { written: word.text, read: writtenAs(meant, lexicon, values) };
  return { ...outcome, corrections: [correction, ...(outcome.corrections ?? [])] };
}

/**
 * Reads an unknown noun, such as `films`, as the rows of the model, if only one measure counts rows. Requires
 * confirmation. Returns `null` if the question still cannot be read.
 */
async function readRows(
  text: string,
  word: Word,
  context: Understanding,
  corrections: number,
): Promise<Outcome | null> {
  const { lexicon, choices } = context;
  const rows = mainRows(lexicon);
  if (rows === null || !isRowNoun(text, word, context)) return null;
  const open = { choices, key: `rows ${word.norm}`, about: word.text };
  // In `units sold by region`, the user may also mean the quantity of each row.
  const quantities = unitNouns.test(word.norm) ? quantitiesOf(rows.cube, { lexicon, joinGroup: rows.joinGroup }) : [];
  const meanings = [...quantities, rows];
  const meant = meanings.find(({ name }) => name === choices.get(open.key)) ?? rows;
  const replaced = `${text.slice(0, word.from)}${meant.title}${text.slice(word.to)}`;
  const outcome = await tried(() => read(replaced, context, corrections - 1));
  if (outcome.kind === 'refuse' || outcome.kind === 'help') return null;
  confirmed(
    open,
    meanings.map(member => ({ id: member.name, label: () => labelOf(member, lexicon), value: member })),
  );
  return outcome;
}

const unitNouns = /^(?:units|items|pieces|copies)$/;

const kinds = /^(?:categor|type|kind|sort|bucket|bin|group|class|level|range|segment|band)(?:y|ies|s|es)$/;

/**
 * Whether an unknown word may name the rows: it is plural, and neither a typo nor a part of a name (`movie runtimes`).
 */
function isRowNoun(text: string, { norm, from }: Word, { lexicon, corrected }: Understanding): boolean {
  const before = readWords(text).findLast(word => word.from < from);
  const isPart = before !== undefined && !before.stop && lexicon.byStem.has(before.stem);
  return /[^s]s$/.test(norm) && stemOf(norm) !== norm && !kinds.test(norm) && !isPart && !corrected?.has(norm);
}

/** Returns the outcome, including one that was thrown as an `EarlyOutcome`. */
async function tried(readAs: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await readAs();
  } catch (error) {
    if (error instanceof EarlyOutcome) return error.outcome;
    throw error;
  }
}

/** Returns the measure that counts rows if the model has only one. */
function mainRows({ members }: Lexicon): Member | null {
  const counts = [...members.values()].filter(member => isFigure(member) && member.name.endsWith('.count'));
  const [main, ...others] = counts;
  return main !== undefined && others.length === 0 ? main : null;
}

/** Returns a word as spelled in the model or the data. */
function writtenAs(norm: string, lexicon: Lexicon, values: readonly DimensionValues[]): string {
  const [, member] = [...lexicon.members].find(([, { title }]) => title.toLowerCase().includes(norm)) ?? [];
  const value =
    values.flatMap(one => one.values).find(one => one.toLowerCase() === norm) ??
    values.flatMap(one => one.values).find(one => one.toLowerCase().includes(norm));
  return member?.title ?? value ?? norm;
}

/** Returns the quotation if the first unknown word is quoted; else the first capitalized unknown word, or `null`. */
function soughtText(unknown: readonly Word[]): string | null {
  const [first] = unknown;
  if (first === undefined) return null;
  if (first.quote !== null)
    return unknown
      .filter(({ quote }) => quote === first.quote)
      .map(({ text }) => text)
      .join(' ');
  const capital = unknown.find(({ text }) => /^\p{Lu}/u.test(text));
  return capital?.text ?? null;
}

function rejectUnknown(words: readonly string[], { speller }: Understanding): Outcome {
  const near = speller.nearest(words, 3);
  return { kind: 'refuse', refusal: { reason: 'unknown', words: words.slice(0, 3), near } };
}

function joinGroupOfReading(base: Reading | null): string | null {
  return base?.measures[0]?.joinGroup ?? base?.dimensions[0]?.joinGroup ?? null;
}

function onlyJoinGroup({ members, cubes }: Lexicon): string | null {
  const joinGroups = [...new Set([...members.values()].map(({ joinGroup }) => joinGroup))];
  const views = joinGroups.filter(joinGroup => cubes.some(({ name, type }) => name === joinGroup && type === 'view'));
  const [only, ...others] = views.length > 0 ? views : joinGroups;
  return only !== undefined && others.length === 0 ? only : null;
}

/** Returns the first join group with a measure and a date, for overviews of models with several groups. */
function mainJoinGroup({ members, cubes }: Lexicon): string | null {
  const all = [...members.values()];
  const views = all.filter(({ joinGroup }) => cubes.some(({ name, type }) => name === joinGroup && type === 'view'));
  const isDated = (joinGroup: string) => all.some(member => member.joinGroup === joinGroup && member.type === 'time');
  const measures = (views.length > 0 ? views : all).filter(({ kind }) => kind === MemberKind.measure);
  return measures.find(({ joinGroup }) => isDated(joinGroup))?.joinGroup ?? null;
}

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
