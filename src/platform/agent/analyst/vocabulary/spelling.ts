import Fuse from 'fuse.js';
import { cueVocabulary } from './cues.js';
import type { DimensionValues } from './dimension-values.js';
import { type Lexicon, MemberKind } from './lexicon.js';
import { normalize, stemOf } from './words.js';

/** Words that may have been meant. */
export interface Speller {
  /** The nearest words of the model and of some values, the best first; those after it are as near, or nearly. */
  correct(word: string, values: readonly DimensionValues[]): readonly string[];
  /** Titles of the model that are nearest to some words, however far. */
  nearest(words: readonly string[], count: number): readonly string[];
}

const aggregates = ['average', 'total', 'maximum', 'minimum', 'number'];
/** Most words that are looked through, of those the most that are compared letter by letter, and most titles. */
const maxWords = 20_000;
const maxCandidates = 1000;
const maxTitles = 500;
/** How many scores apart two words are equally near, and the worst score that is an error in typing: one in four letters. */
const tie = 0.08;
const worst = 0.26;
/** Fewest letters that two words have to begin with to be related. */
const minStemLength = 6;
const options = {
  includeScore: true,
  ignoreLocation: true,
  ignoreFieldNorm: true,
  threshold: 0.4,
  minMatchCharLength: 2,
};

/** Makes a speller of a model's words, to be kept. It costs nothing before its first use. */
export function makeSpeller(lexicon: Lexicon): Speller {
  let model: ModelWords | undefined;
  let titles: Titles | undefined;
  return {
    correct: (word, values) => {
      const norm = normalize(word);
      if (norm.length < 4 || norm.length > 30) return [];
      model ??= modelWords(lexicon);
      const related = relatedTo(norm, model);
      return related === undefined ? nearestWords(norm, model.words, values) : [related];
    },
    nearest: (words, count) => {
      titles ??= titlesOf(lexicon);
      return nearestTitles(titles, words, count);
    },
  };
}

interface ModelWords {
  readonly words: ReadonlySet<string>;
  /** With their stems, where those are long enough to be the beginning of others. */
  readonly stems: readonly (readonly [word: string, stem: string])[];
}

function modelWords({ vocabulary }: Lexicon): ModelWords {
  const words = new Set([...vocabulary, ...cueVocabulary, ...aggregates]);
  const stems = [...words]
    .map(word => [word, stemOf(word)] as const)
    .filter(([, stem]) => stem.length >= minStemLength);
  return { words, stems };
}

/** A word of the model with the same beginning: `departing` and `departure`. */
function relatedTo(norm: string, { stems }: ModelWords): string | undefined {
  const stem = stemOf(norm);
  if (stem.length < minStemLength) return undefined;
  return stems.find(([, other]) => stem.startsWith(other) || other.startsWith(stem))?.[0];
}

function nearestWords(norm: string, own: ReadonlySet<string>, values: readonly DimensionValues[]): string[] {
  const near = new Fuse([...candidatesFor(norm, own, values)], options)
    .search(norm, { limit: 40 })
    .filter(({ item, score = 1 }) => score <= worst || lettersOf(item) === lettersOf(norm));
  const best = near[0]?.score ?? 1;
  const ties = near.filter(({ score = 1 }) => score <= best + tie).map(({ item }) => item);
  // Forms of one word are one, and a word of the model comes before one of the data.
  const stems = new Map(ties.toReversed().map(item => [stemOf(item), item]));
  const known = [...stems.values()].toReversed();
  return known.some(item => own.has(item)) ? known.filter(item => own.has(item)) : known;
}

/** Words that can be near enough, by what is seen at a glance: a search looks at each letter of all it is given. */
function candidatesFor(norm: string, own: ReadonlySet<string>, values: readonly DimensionValues[]): Set<string> {
  const room = norm.length > 7 ? 2 : 1;
  const errors = Math.floor(norm.length * worst);
  const letters = lettersIn(norm);
  const found = new Set<string>();
  let seen = 0;
  for (const words of [own, ...values.map(one => one.words)]) {
    for (const word of words) {
      seen += 1;
      if (seen > maxWords) return found;
      if (word[0] !== norm[0] || Math.abs(word.length - norm.length) > room) continue;
      if (countOf(letters & ~lettersIn(word)) > errors) continue;
      found.add(word);
      // Among so many no choice would be right.
      if (found.size > maxCandidates) return new Set();
    }
  }
  return found;
}

/** The letters of a word, a bit for each; some share one. */
function lettersIn(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index += 1) bits |= 1 << (word.charCodeAt(index) & 31);
  return bits;
}

function countOf(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Letters that have changed places count as two errors with the search, and are one. */
function lettersOf(word: string): string {
  return [...word].sort().join('');
}

interface Titles {
  readonly all: readonly string[];
  readonly index: Fuse<string>;
}

function titlesOf({ members }: Lexicon): Titles {
  const named = [...members.values()].filter(({ kind }) => kind !== MemberKind.segment);
  const all = [...new Set(named.map(({ title }) => title))].slice(0, maxTitles);
  return { all, index: new Fuse(all, { ...options, threshold: 0.75 }) };
}

function nearestTitles({ all, index }: Titles, words: readonly string[], count: number): string[] {
  const found = words.slice(0, 3).flatMap(word => index.search(word.slice(0, 30), { limit: count }));
  return [...new Set([...found.map(({ item }) => item), ...all])].slice(0, count);
}
