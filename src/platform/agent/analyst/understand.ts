import { worldOf } from './choose-members.js';
import { Cue } from './cues.js';
import { readDates } from './date-phrases.js';
import type { AskedAt } from './date-span.js';
import { type Draft, draftOf } from './draft.js';
import { changed, isFollowUp } from './follow-up.js';
import { inTime } from './in-time.js';
import type { Lexicon } from './lexicon.js';
import { type Piece, piecesOf } from './mentions.js';
import { bareDates, withNamesakes } from './namesakes.js';
import { type Choices, choose, impossible, NeedsValues, type Outcome, Settled } from './outcome.js';
import type { Pace } from './pace.js';
import type { Reading } from './reading.js';
import { isGreeting, refusalOf } from './refusals.js';
import { freshReading, settle } from './settle.js';
import type { Speller } from './spelling.js';
import type { DimensionValues } from './values.js';
import { maxWords, readWords, type Word } from './words.js';

/** Most characters of a question that is read. */
const maxText = 2000;
/** Most unknown words that are looked for among words that are spelled alike. */
const maxCorrections = 4;

/** Most texts that are looked for where there are too many values to know. */
const maxSearches = 2;

/** What a question is read against. */
export interface Understanding {
  readonly lexicon: Lexicon;
  /** Null before a question has needed them. */
  readonly values: readonly DimensionValues[] | null;
  readonly speller: Speller;
  /** Texts that were looked for where there are too many values to know. */
  readonly searched: readonly string[];
  /** What was asked before. */
  readonly base: Reading | null;
  readonly at: AskedAt;
  readonly choices: Choices;
  /** Long questions are read in slices. */
  readonly pace: Pace;
}

/**
 * Reads a question, without any I/O.
 * @throws NeedsValues where values have to be known first.
 */
export async function understand(text: string, context: Understanding): Promise<Outcome> {
  try {
    return await read(text, context, maxCorrections);
  } catch (error) {
    if (error instanceof Settled) return error.outcome;
    throw error;
  }
}

async function read(text: string, context: Understanding, corrections: number): Promise<Outcome> {
  const { lexicon, values, base, at, pace } = context;
  if (pace.isDue) await pace.rest();
  if (isGreeting(text)) return { kind: 'help' };
  if (text.length > maxText) return { kind: 'refuse', refusal: { reason: 'too long' } };
  const words = readWords(text);
  if (words.length === maxWords) return { kind: 'refuse', refusal: { reason: 'too long' } };
  const refusal = refusalOf(text, words, ({ stem }) => lexicon.byStem.has(stem));
  if (refusal) return { kind: 'refuse', refusal };
  if (lexicon.members.size === 0) return { kind: 'refuse', refusal: { reason: 'empty model' } };
  const dates = readDates(text, at);
  const found = await piecesOf(words, dates, { lexicon, values }, pace);
  refuseCycles(text, words, found);
  const bare = bareDates(found);
  const pieces = values === null ? found : withNamesakes(found, bare, values);
  const draft = draftOf(pieces);
  const unknown = pieces.flatMap(piece => (piece.kind === 'unknown' ? [piece.word] : []));
  const world = worldOf(draft, lexicon) ?? worldOfBase(base) ?? onlyWorld(lexicon);
  if (unknown.length + bare.length > 0 && values === null) throw new NeedsValues(null, world);
  if (unknown.length > 0) return readAgain(text, { unknown, world }, context, corrections);
  if (draft.unknown.length > 0) return refuseUnknown(draft.unknown, context);
  const follows = base !== null && isFollowUp(draft, text);
  if (world === null || isEmpty(draft, base)) return { kind: 'help' };
  const scope = { lexicon, world, choices: context.choices };
  const parts = settle(draft, scope, follows ? base : null);
  const reading = follows && base ? changed(base, parts, draft) : freshReading(parts, draft, scope);
  return { kind: 'reading', reading: inTime(reading, parts, draft, scope, at) };
}

const cycle = /\b(?:hour|day|week|month|quarter)s? of (?:the |a |each )?(?:day|week|month|quarter|year)\b/i;

/** `by hour of the day`: a granularity puts rows of one day together, not those of one hour of all days. */
function refuseCycles(text: string, words: readonly Word[], pieces: readonly Piece[]): void {
  const said = cycle.exec(text);
  if (said === null) return;
  const [from, to] = [said.index, said.index + said[0].length];
  const isNamed = pieces.some(piece => {
    const [first, last] = [words[piece.from], words[piece.to - 1]];
    return (piece.kind === 'mention' || piece.kind === 'date') && first && last && first.from < to && last.to > from;
  });
  if (!isNamed) throw impossible(`Nothing here says the ${said[0].toLowerCase()}: I can only group by whole dates.`);
}

interface NotKnown {
  readonly unknown: readonly Word[];
  readonly world: string | null;
}

/** Words that nothing knows: perhaps one of too many values, perhaps spelled wrong. */
async function readAgain(
  text: string,
  { unknown, world }: NotKnown,
  context: Understanding,
  corrections: number,
): Promise<Outcome> {
  const { lexicon, choices, searched, speller } = context;
  const values = context.values ?? [];
  const sought = soughtText(unknown);
  const isLarge = values.some(({ complete }) => !complete) && searched.length < maxSearches;
  if (sought !== null && isLarge && !searched.includes(sought)) throw new NeedsValues(sought, world);
  const [word] = unknown.filter(one => one.quote === null);
  const near = word && corrections > 0 ? speller.correct(word.norm, values) : [];
  if (word === undefined || near.length === 0 || unknown.length > maxCorrections) {
    return refuseUnknown(
      unknown.map(one => one.text),
      context,
    );
  }
  const options = near.map(item => ({ id: item, label: () => writtenAs(item, lexicon, values), value: item }));
  const meant = choose({ choices, key: `spelling ${word.norm}`, about: word.text }, options);
  return read(`${text.slice(0, word.from)}${meant}${text.slice(word.to)}`, context, corrections - 1);
}

/** A word as the model or the data write it. */
function writtenAs(norm: string, lexicon: Lexicon, values: readonly DimensionValues[]): string {
  const [, member] = [...lexicon.members].find(([, { title }]) => title.toLowerCase().includes(norm)) ?? [];
  const value =
    values.flatMap(one => one.values).find(one => one.toLowerCase() === norm) ??
    values.flatMap(one => one.values).find(one => one.toLowerCase().includes(norm));
  return member?.title ?? value ?? norm;
}

/** The first quotation, or the first words in capitals that stand together. */
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

function refuseUnknown(words: readonly string[], { speller }: Understanding): Outcome {
  const near = speller.nearest(words, 3);
  return { kind: 'refuse', refusal: { reason: 'unknown', words: words.slice(0, 3), near } };
}

function worldOfBase(base: Reading | null): string | null {
  return base?.measures[0]?.world ?? base?.dimensions[0]?.world ?? null;
}

function onlyWorld({ members, cubes }: Lexicon): string | null {
  const worlds = [...new Set([...members.values()].map(({ world }) => world))];
  const views = worlds.filter(world => cubes.some(({ name, type }) => name === world && type === 'view'));
  const [only, ...others] = views.length > 0 ? views : worlds;
  return only !== undefined && others.length === 0 ? only : null;
}

/** Nothing was said that a query could hold, or that could change the one before. */
function isEmpty(draft: Draft, base: Reading | null): boolean {
  const { measures, by, values, segments, missing, dates, grains, conditions, times } = draft;
  const { rank, limit, chart, sort, cues } = draft;
  if ([measures, by, values, segments, missing, dates, grains, conditions, times].some(list => list.length > 0))
    return false;
  if (base === null) return rank?.measure == null;
  const changes = [rank, limit, chart, sort].some(change => change !== null);
  return !changes && ![Cue.reset, Cue.trend, Cue.compare, Cue.change, Cue.share].some(cue => cues.has(cue));
}
