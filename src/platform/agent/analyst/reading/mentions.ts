import type { TimeSlicer } from '../../../runtime/time-slicer.js';
import type { DateMention } from '../time/date-phrases.js';
import { namedCodes } from '../vocabulary/code-names.js';
import { countryDimensions, countryValues, isCountryNoun } from '../vocabulary/countries.js';
import { isCueWord, isOrdinal, isRankWord, numberOf } from '../vocabulary/cues.js';
import { type DimensionValues, ValueIndex } from '../vocabulary/dimension-values.js';
import { isConnectingWord } from '../vocabulary/empty-words.js';
import { type Lexicon, type Member, MemberKind, type Phrase } from '../vocabulary/lexicon.js';
import { sexValues } from '../vocabulary/sexes.js';
import { aggregateOf, keyOf, readWords, stemsOf, type Word } from '../vocabulary/words.js';
import { Board } from './board.js';
import type { MemberTarget, Piece, Target } from './pieces.js';

/** Vocabulary used to segment a question. */
export interface MentionContext {
  readonly lexicon: Lexicon;
  /** `null` before values are loaded. */
  readonly values: readonly DimensionValues[] | null;
  /** Words of the question with a corrected spelling. */
  readonly corrected: ReadonlySet<string>;
}

const maxMemberWords = 6;
const maxValueWords = 8;
const maxPartWords = 4;
const maxCodeWords = 4;
/**
 * Maximum number of members that some words may refer to (best first), and of values that may contain them. Further
 * matches are ignored.
 */
const maxMembers = 300;
const maxPartial = 8;

/** Segments a question into dates, members, values, cues, numbers and unknown words. */
export async function piecesOf(
  words: readonly Word[],
  dates: readonly DateMention[],
  known: MentionContext,
  timeSlicer: TimeSlicer,
): Promise<Piece[]> {
  const board = new Board(words);
  for (const date of dates) board.date(date);
  await take(board, exactMembers(board, known.lexicon), timeSlicer);
  if (known.values !== null) await take(board, wholeValues(board, known.values), timeSlicer);
  plainWeekdays(board, known.lexicon);
  board.cues();
  await take(board, partialMembers(board, known), timeSlicer);
  if (known.values !== null) {
    await take(board, codesByName(board, known.values), timeSlicer);
    countries(board, known.values);
    people(board, known.values);
  }
  if (known.values !== null) await take(board, partialValues(board, known.values, known.corrected), timeSlicer);
  return board.pieces({ isFinal: known.values !== null });
}

/** Looks up the meanings of word spans. */
interface Search {
  /** Maximum number of words per span. */
  readonly maxWords: number;
  /** Whether a span is available to this search. */
  readonly fits: (from: number, to: number) => boolean;
  /** Returns the meanings of a span; empty if unknown. */
  readonly targetsOf: (from: number, to: number) => readonly Target[];
}

/** Assigns spans of words in descending length. Each word belongs to at most one span. */
async function take(board: Board, { maxWords, fits, targetsOf }: Search, timeSlicer: TimeSlicer): Promise<void> {
  for (let length = Math.min(maxWords, board.words.length); length > 0; length -= 1) {
    for (let from = 0; from + length <= board.words.length; from += 1) {
      if (!fits(from, from + length)) continue;
      if (timeSlicer.isDue) await timeSlicer.rest();
      const targets = targetsOf(from, from + length);
      if (targets.length > 0) board.mention(from, from + length, targets);
    }
  }
}

function namedBy(phrases: readonly Phrase[]): Target[] {
  return onePerMember(phrases.map(({ member, quality }) => ({ kind: 'member', member, quality, isLoose: false })));
}

/** Short words that may occur within a name: `city of destination`. Other stop words separate names. */
const links = new Set(['of', 'the', 'a', 'an']);

function exactMembers(board: Board, { exact }: Lexicon): Search {
  return {
    maxWords: maxMemberWords,
    fits: (from, to) =>
      board.words.slice(from, to).every(({ quote }, step) => board.isFree(from + step) && quote === null),
    targetsOf: (from, to) => {
      const words = board.words.slice(from, to);
      const content = words.filter(({ stop }) => !stop);
      const isPhrase = words.every(({ stop, norm }) => !stop || links.has(norm));
      const isFramed = words[0]?.stop === false && words.at(-1)?.stop === false;
      const phrases =
        (words.length > 1 || isFramed ? exact.get(keyOf(words.map(({ stem }) => stem))) : undefined) ??
        (isFramed && isPhrase ? exact.get(keyOf(content.map(({ stem }) => stem))) : undefined);
      // An aggregate or a number alone does not identify a member.
      const says = content.some(
        // In `the first order`, `first` orders the rows and does not name the column First name.
        ({ norm }) => aggregateOf(norm) === undefined && numberOf(norm) === undefined && !isOrdinal(norm),
      );
      const after = board.words[to];
      // In `cylinders average mpg`, the aggregate belongs to the next word.
      const isBorrowed =
        words.length > 1 &&
        aggregateOf(words.at(-1)?.norm ?? '') !== undefined &&
        after?.stop === false &&
        board.isOpen(to);
      return says && !isBorrowed && !isLongerCue(board, from, to) ? namedBy(fitting(phrases ?? [], words)) : [];
    },
  };
}

/**
 * Whether words name a member. In `cases opened`, the participle describes an event, not the measure Open cases, so a
 * participle must occur in the title unchanged. The same applies to `rated movies` and the title Rating with the name
 * of the cube.
 */
function isName({ member, stems }: Phrase, words: readonly Word[]): boolean {
  const title = member.title.toLowerCase();
  const isNamed = ({ norm }: Word) => !norm.endsWith('ed') || title.includes(norm);
  const last = words.at(-1);
  if (words.length < 2 || last === undefined) return true;
  const cube = new Set(stemsOf(member.cubeTitle));
  const isOfCube = words.some(({ stem }) => cube.has(stem)) && !stemsOf(member.title).some(stem => cube.has(stem));
  return isOfCube ? words.every(isNamed) : isNamed(last) || stems.at(-1) === last.stem;
}

/** Whether words begin a longer cue: `rank by` orders the rows, even if a column is named Rank. */
function isLongerCue(board: Board, from: number, to: number): boolean {
  return (board.cueAt(from)?.length ?? 0) > to - from;
}

/** Returns the phrases that the words name, and do not only resemble. */
function fitting(phrases: readonly Phrase[], words: readonly Word[]): readonly Phrase[] {
  return phrases.filter(phrase => isName(phrase, words) && !isCountOf(phrase, words) && !isShortCue(phrase, words));
}

/** Whether a short word only shares the stem of a title: `not` does not name the column Note. */
function isShortCue({ member }: Phrase, [word, ...others]: readonly Word[]): boolean {
  if (word === undefined || others.length > 0 || word.norm.length > 3 || !isCueWord(word.norm)) return false;
  return !readWords(member.title).some(({ norm }) => norm === word.norm || norm === `${word.norm}s`);
}

/** Whether words request a count: `number of cards` does not name the column Card number. */
function isCountOf({ stems }: Phrase, [first, link]: readonly Word[]): boolean {
  return link?.norm === 'of' && aggregateOf(first?.norm ?? '') === 'count' && stems[0] !== 'count';
}

function wholeValues(board: Board, values: readonly DimensionValues[]): Search {
  return {
    maxWords: maxValueWords,
    fits: (from, to) => board.isWithin(from, to),
    targetsOf: (from, to) => {
      const words = board.words.slice(from, to).filter(({ norm }) => norm !== ',');
      const first = words[0];
      const isOpen = board.words
        .slice(from, to)
        .some(({ text }, step) => board.mayBeValue(from + step) || (from + step > 0 && /^[A-Z]$/.test(text)));
      if (first === undefined || board.words[from]?.norm === ',' || !(isOpen || isNumeric(words))) return [];
      const key = words.map(({ stem }) => stem).join(' ');
      const targets = values.flatMap(({ member, byStems }) =>
        (byStems.get(key) ?? [])
          .filter(value => isMeant(value, words, board, from))
          .map((value): Target => ({ kind: 'value', member, value, isPart: false })),
      );
      return nearestIn(targets, words);
    },
  };
}

/** Whether the words begin and end with a number, as in `500 to 999`. */
function isNumeric(words: readonly Word[]): boolean {
  return words.length > 1 && /^\d/.test(words[0]?.norm ?? '') && /^\d/.test(words.at(-1)?.norm ?? '');
}

/**
 * Whether a word means a code of two or three letters, and not a common word (`IN`, `OR`). Decides by its case or the
 * preceding word.
 */
function isMeant(value: string, words: readonly Word[], board: Board, from: number): boolean {
  if (!/^[A-Z\d]{1,3}$/.test(value)) return true;
  const [word, before] = [words[0], board.words[from - 1]?.norm];
  if (word === undefined) return false;
  const led = before !== undefined && codeLeads.has(before);
  // Capitals identify a code (`grade A students`, `OK readings`), unless the question starts with it or is all in
  // capitals.
  const isCapital = value.length > 1 || (from > 0 && value !== 'I');
  if (word.text === value)
    return !word.stop || led || (isCapital && board.words.some(({ text }) => /\p{Ll}/u.test(text)));
  return led && !word.stop && word.text === word.norm;
}

const codeLeads = new Set(
  'to from in for of and or except excluding without state code only , vs not about'.split(' '),
);

/**
 * Returns the exact match among values that differ only in endings, accents or case; all of them if none matches
 * exactly.
 */
function nearestIn(targets: readonly Target[], words: readonly Word[]): readonly Target[] {
  const norm = (text: string) => text.toLowerCase();
  const text = norm(words.map(word => word.text).join(' '));
  const same = targets.filter(target => target.kind === 'value' && norm(target.value) === text);
  return same.length > 0 ? same : targets;
}

/**
 * Finds members whose phrase contains all of the words and more: `state` for `Destination state`. Before values are
 * loaded, only the head noun of a phrase matches, because the first word of `Shipping date` may also be a value.
 */
function partialMembers(board: Board, { lexicon, values }: MentionContext): Search {
  const found = new Map<string, readonly Target[]>();
  return {
    maxWords: maxPartWords,
    fits: (from, to) => isOpenSpan(board, from, to),
    targetsOf: (from, to) => {
      const stems = contentOf(board, from, to);
      const key = stems.join(' ');
      const targets = found.get(key) ?? partlyNamedBy(stems, lexicon, { mayBeLoose: values !== null });
      found.set(key, targets);
      return targets;
    },
  };
}

function partlyNamedBy(
  stems: readonly string[],
  { byStem }: Lexicon,
  { mayBeLoose }: { readonly mayBeLoose: boolean },
): Target[] {
  const [first = '', ...others] = stems;
  if (others.length === 0 && (isOrdinal(first) || isRankWord(first))) return [];
  const phrases = (byStem.get(first) ?? []).filter(
    ({ stems: all }) => others.every(stem => all.includes(stem)) && (mayBeLoose || stems.includes(headOf(all))),
  );
  const targets = phrases.map(({ member, quality, stems: all }): MemberTarget => {
    const isLoose = !stems.includes(headOf(all));
    const coverage = stems.length / (all.length + 1);
    return { kind: 'member', member, quality: quality * coverage * (isLoose ? 0.5 : 1), isLoose };
  });
  return onePerMember(targets);
}

/** Returns the head noun of a name: `copies` in `copies sold`. */
function headOf(stems: readonly string[]): string {
  return stems.findLast(stem => !isConnectingWord(stem)) ?? stems.at(-1) ?? '';
}

/** Returns the stems of a span without stop words. */
function contentOf(board: Board, from: number, to: number): string[] {
  return board.words.slice(from, to).flatMap(({ stop, stem }) => (stop ? [] : [stem]));
}

function onePerMember(targets: readonly MemberTarget[]): MemberTarget[] {
  const best = new Map<Member, MemberTarget>();
  for (const target of targets) {
    if ((best.get(target.member)?.quality ?? 0) < target.quality) best.set(target.member, target);
  }
  const all = [...best.values()];
  return all.length > maxMembers ? all.sort((a, b) => b.quality - a.quality).slice(0, maxMembers) : all;
}

function isOpenSpan(board: Board, from: number, to: number): boolean {
  const isStop = (index: number) => board.isFree(index) && !board.isOpen(index);
  if (!board.isOpen(from) || !board.isOpen(to - 1)) return false;
  return board.words.slice(from, to).every((_, step) => board.isOpen(from + step) || isStop(from + step));
}

/** Finds values that contain the words of a span: `LaGuardia` for an airport's full name. */
function partialValues(board: Board, values: readonly DimensionValues[], corrected: ReadonlySet<string>): Search {
  const holders = new ValueIndex(values);
  return {
    maxWords: maxValueWords,
    fits: (from, to) => isOpenSpan(board, from, to),
    targetsOf: (from, to) => {
      const stems = contentOf(board, from, to);
      const words = board.words.slice(from, to);
      // A corrected word that is only a part of a value is too uncertain.
      if (words.some(({ norm }) => corrected.has(norm))) return [];
      // Names are capitalized or quoted. Lowercase words and the first word of a question may be common words that also
      // occur in names.
      const isName = words.some(
        ({ text, quote }, step) => quote !== null || /\d/.test(text) || (from + step > 0 && /^\p{Lu}/u.test(text)),
      );
      if (stems[0] === ',' || stems.every(stem => stem.length < 3)) return [];
      // Accept lowercase words only after words such as `to`: `to dulles`, but not `the most money`.
      if (!isName && !codeLeads.has(board.words[from - 1]?.norm ?? '')) return [];
      return holders.of(stems, maxPartial).map(holder => ({ kind: 'value', ...holder, isPart: !isName }));
    },
  };
}

/** Finds codes by the names that they stand for: `TX` for `Texas`. */
function codesByName(board: Board, values: readonly DimensionValues[]): Search {
  const named = namedCodes(values);
  return {
    maxWords: named.length > 0 ? maxCodeWords : 0,
    fits: (from, to) => isOpenSpan(board, from, to),
    targetsOf: (from, to) => {
      const name = board.words
        .slice(from, to)
        .map(({ norm }) => norm)
        .join(' ');
      const codes = named.flatMap(({ dimension: { member, values: all }, names }) =>
        all
          .filter(code => names.get(code) === name)
          .map((value): Target => ({ kind: 'value', member, value, isPart: false })),
      );
      if (codes.length === 0) return [];
      // Include values that contain the name: `Washington` is also a part of the names of cities.
      const holders = new ValueIndex(values).of(contentOf(board, from, to), maxPartial);
      return [...holders.map((holder): Target => ({ kind: 'value', ...holder, isPart: true })), ...codes];
    },
  };
}

/**
 * Matches `country` with the dimensions whose values are countries, if no member has that name, and `Japanese` with
 * their values.
 */
function countries(board: Board, values: readonly DimensionValues[]): void {
  const open = board.words.flatMap(({ norm }, index) => (board.isOpen(index) ? [{ norm, index }] : []));
  const dimensions = open.length > 0 ? countryDimensions(values) : [];
  for (const { norm, index } of open) {
    const targets = dimensions.flatMap((dimension): Target[] => {
      const { member } = dimension;
      if (isCountryNoun(norm)) return [{ kind: 'member', member, quality: 0.8, isLoose: false }];
      return countryValues(norm, dimension).map(value => ({ kind: 'value', member, value, isPart: false }));
    });
    if (targets.length > 0) board.mention(index, index + 1, targets);
  }
}

/**
 * Matches `women` with the values of a column of sexes. Requires a choice, because the match can be partial: `girls`,
 * for example, are only some of the women.
 */
function people(board: Board, values: readonly DimensionValues[]): void {
  for (const [index, { norm }] of board.words.entries()) {
    const targets = board.isOpen(index) ? sexValues(norm, values) : [];
    if (targets.length > 0)
      board.mention(
        index,
        index + 1,
        targets.map(target => ({ kind: 'value', ...target, isPart: true })),
      );
  }
}

const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** Matches plural weekdays if the model numbers them and documents the mapping: `1 is Monday, 7 is Sunday`. */
function plainWeekdays(board: Board, { members }: Lexicon): void {
  const days = board.words.flatMap(({ norm }, index) => {
    const day = weekdays.indexOf(norm.replace(/s$/, ''));
    return day >= 0 && board.isFree(index) ? [{ day, index }] : [];
  });
  if (days.length === 0) return;
  const numbered = [...members.values()].flatMap(member => {
    const [, number, name = ''] = /\b([01]) is (monday|sunday)\b/i.exec(member.description) ?? [];
    const isOne = member.kind === MemberKind.dimension && member.type === 'number' && number !== undefined;
    return isOne ? [{ member, first: Number(number), start: weekdays.indexOf(name.toLowerCase()) }] : [];
  });
  for (const { day, index } of days) {
    const targets = numbered.map(
      ({ member, first, start }): Target => ({
        kind: 'value',
        member,
        value: String(((day - start + 7) % 7) + first),
        isPart: false,
      }),
    );
    if (targets.length > 0) board.mention(index, index + 1, targets);
  }
}
