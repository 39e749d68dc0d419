import { isCueWord } from '../vocabulary/cues.js';
import type { DimensionValues } from '../vocabulary/dimension-values.js';
import { isFigure, type Lexicon, type Member } from '../vocabulary/lexicon.js';
import { aggregateOf, readWords, stemOf, type Word } from '../vocabulary/words.js';
import { quantitiesOf } from './default-measures.js';
import { choose, confirmed, EarlyOutcome, impossible, labelOf, NeedsValues, type Outcome } from './outcome.js';
import type { ReadText, Understanding } from './understanding.js';

/** Maximum length of words whose spelling is corrected only after confirmation by the user. */
const maxShortWord = 4;
/** Maximum number of unknown words to correct. */
export const maxCorrections = 4;
/** Maximum number of strings to search for in dimensions with too many values to load. */
const maxSearches = 2;

/** How to interpret a text again after its unknown words have been replaced. */
interface Again {
  readonly read: ReadText;
  /** Number of words that may still be corrected. */
  readonly corrections: number;
}

/** Words of a question that neither the model nor the data contains. */
interface UnknownWords {
  readonly unknown: readonly Word[];
  readonly joinGroup: string | null;
}

/** Weekdays of groups such as the weekend, used if neither the model nor the data contains the word. */
const dayGroups: Readonly<Record<string, string>> = {
  weekend: 'Saturday or Sunday',
  weekends: 'Saturdays or Sundays',
  weekdays: 'Mondays, Tuesdays, Wednesdays, Thursdays or Fridays',
};

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
export async function readUnknown(
  text: string,
  { unknown, joinGroup }: UnknownWords,
  context: Understanding,
  again: Again,
): Promise<Outcome> {
  const { read, corrections } = again;
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
      ? await readCorrected(text, word, context, again)
      : null;
  const rows = word && corrected === null && corrections > 0 ? await readRows(text, word, context, again) : null;
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
  { read, corrections }: Again,
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
  // A short word, such as `trip`, is rarely a typo of a similar word. A participle has another meaning than a noun:
  // `irrigated harvests` does not group by irrigation.
  const isParticiple = word.norm.endsWith('ed') && !meant.endsWith('ed');
  if ((word.norm.length <= maxShortWord || isParticiple) && !isCueWord(meant)) {
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
  { read, corrections }: Again,
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

/** Rejects a question, and suggests the most similar titles of the model. */
export function rejectUnknown(words: readonly string[], { speller }: Understanding): Outcome {
  const near = speller.nearest(words, 3);
  return { kind: 'refuse', refusal: { reason: 'unknown', words: words.slice(0, 3), near } };
}
