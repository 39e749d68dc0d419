import Fuse from 'fuse.js';
import { cueVocabulary } from './cues.js';
import type { DimensionValues } from './dimension-values.js';
import { isFigure, type Lexicon, MemberKind } from './lexicon.js';
import { normalize, stemOf } from './words.js';

/** Suggests corrections for unknown words. */
export interface Speller {
  /**
   * Returns the most similar words of the model and of the given values, best first. All of them have nearly the same
   * score.
   */
  correct(word: string, values: readonly DimensionValues[]): readonly string[];
  /** Returns the titles of the model that are most similar to some words, regardless of the distance. */
  nearest(words: readonly string[], count: number): readonly string[];
}

const aggregates = ['average', 'total', 'maximum', 'minimum', 'number'];
/** Maximum number of words to scan, of candidates to compare letter by letter, and of titles, in this order. */
const maxWords = 20_000;
const maxCandidates = 1000;
const maxTitles = 500;
/**
 * Maximum score difference between words that count as equally similar, and maximum score of a typo. The score 0 means
 * that the words are identical; the maximum allows one wrong letter in four.
 */
const tie = 0.08;
const worst = 0.26;
/** Minimum length of the common prefix of related words. */
const minStemLength = 6;
/** Maximum number of letters by which related words differ at their end. */
const maxEnding = 4;
const options = {
  includeScore: true,
  ignoreLocation: true,
  ignoreFieldNorm: true,
  threshold: 0.4,
  minMatchCharLength: 2,
};

/** Words for computations, which are never treated as typos of similar words. */
const computations = new Set(
  'ratio ratios rate rates margin margins growth variance deviation range ranges minus times last latest'.split(' '),
);

/** Creates a reusable speller for a model's words. It builds its indexes on first use. */
export function makeSpeller(lexicon: Lexicon): Speller {
  let model: ModelWords | undefined;
  let titles: Titles | undefined;
  return {
    correct: (word, values) => {
      const norm = normalize(word);
      if (norm.length < 4 || norm.length > 30 || computations.has(norm)) return [];
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
  /** Words whose stems are long enough to compare prefixes. */
  readonly stems: readonly (readonly [word: string, stem: string])[];
}

function modelWords({ vocabulary }: Lexicon): ModelWords {
  const words = new Set([...vocabulary, ...cueVocabulary, ...aggregates]);
  // A word with the stem of a cue, such as `popularity`, has another meaning than the cue.
  const stems = [...vocabulary, ...aggregates]
    .map(word => [word, stemOf(word)] as const)
    .filter(([, stem]) => stem.length >= minStemLength);
  return { words, stems };
}

/** Returns a word of the model with the same prefix: `departing` and `departure`. */
function relatedTo(norm: string, { stems }: ModelWords): string | undefined {
  const stem = stemOf(norm);
  if (stem.length < minStemLength) return undefined;
  // `umsatzanteil` and `umsatz` are different words.
  return stems.find(
    ([, other]) =>
      Math.abs(stem.length - other.length) <= maxEnding && (stem.startsWith(other) || other.startsWith(stem)),
  )?.[0];
}

function nearestWords(norm: string, own: ReadonlySet<string>, values: readonly DimensionValues[]): string[] {
  const near = new Fuse([...candidatesFor(norm, own, values)], options)
    .search(norm, { limit: 40 })
    .filter(({ item, score = 1 }) => score <= worst || lettersOf(item) === lettersOf(norm))
    // Reject matches of only a part of a word. For example, the search finds `cabs` for `cash`.
    .filter(({ item }) => (norm.length > 5 ? isTypo(norm, item) : isOneTypo(norm, item)));
  const best = near[0]?.score ?? 1;
  const ties = near.filter(({ score = 1 }) => score <= best + tie).map(({ item }) => item);
  // Treat the inflections of a word as one word, and prefer words of the model over words in the data.
  const stems = new Map(ties.toReversed().map(item => [stemOf(item), item]));
  const known = [...stems.values()].toReversed();
  return known.some(item => own.has(item)) ? known.filter(item => own.has(item)) : known;
}

/**
 * Returns candidates by first letter, length and letter set. This limits the number of words for the slower fuzzy
 * search.
 */
function candidatesFor(norm: string, own: ReadonlySet<string>, values: readonly DimensionValues[]): Set<string> {
  const maxLengthDifference = norm.length > 7 ? 2 : 1;
  const errors = Math.floor(norm.length * worst);
  const letters = lettersIn(norm);
  const found = new Set<string>();
  let seen = 0;
  for (const words of [own, ...values.map(one => one.words)]) {
    for (const word of words) {
      seen += 1;
      if (seen > maxWords) return found;
      if (word[0] !== norm[0] || Math.abs(word.length - norm.length) > maxLengthDifference) continue;
      if (countOf(letters & ~lettersIn(word)) > errors) continue;
      found.add(word);
      // With this number of candidates, no correction would be reliable.
      if (found.size > maxCandidates) return new Set();
    }
  }
  return found;
}

/** Returns the letters of a word as a bitmap. Some letters share a bit. */
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

/** Returns the sorted letters. Fuzzy search counts two swapped letters as two errors, although they are one typo. */
function lettersOf(word: string): string {
  return [...word].sort().join('');
}

/** Whether a long word has few errors: one in four letters, which the fuzzy search allows also for a part of a word. */
function isTypo(norm: string, item: string): boolean {
  return lettersOf(item) === lettersOf(norm) || distanceOf(norm, item) <= Math.max(1, Math.floor(norm.length / 4));
}

/** Returns the number of letters to insert, remove or replace. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const replaced = (row[index] ?? 0) + Number(letter !== other[index]);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Whether two words differ in one letter, or in two swapped letters. */
function isOneTypo(norm: string, item: string): boolean {
  const [short, long] = norm.length < item.length ? [norm, item] : [item, norm];
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const rest = short.slice(start);
  if (short.length < long.length) return rest === long.slice(start + 1);
  const isSwapped = rest[0] === long[start + 1] && rest[1] === long[start] && rest.slice(2) === long.slice(start + 2);
  return isSwapped || rest.slice(1) === long.slice(start + 1);
}

interface Titles {
  readonly all: readonly string[];
  readonly index: Fuse<string>;
}

function titlesOf({ members }: Lexicon): Titles {
  const named = [...members.values()].filter(member => member.kind === MemberKind.dimension || isFigure(member));
  const all = [...new Set(named.map(({ title }) => title))].slice(0, maxTitles);
  return { all, index: new Fuse(all, { ...options, threshold: 0.75 }) };
}

function nearestTitles({ all, index }: Titles, words: readonly string[], count: number): string[] {
  const found = words.slice(0, 3).flatMap(word => index.search(word.slice(0, 30), { limit: count }));
  return [...new Set([...found.map(({ item }) => item), ...all])].slice(0, count);
}
