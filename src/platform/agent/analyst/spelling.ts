import Fuse from 'fuse.js';
import { cueVocabulary } from './cues.js';
import { type Lexicon, MemberKind } from './lexicon.js';
import type { DimensionValues } from './values.js';
import { normalize, stemOf } from './words.js';

/** Words that may have been meant. */
export interface Speller {
  /** The nearest words, the best first; those after it are as near, or nearly. */
  correct(word: string): readonly string[];
  /** Titles of the model that are nearest to some words, however far. */
  nearest(words: readonly string[], count: number): readonly string[];
}

const aggregates = ['average', 'total', 'maximum', 'minimum', 'number'];
/** Most words of values that are looked through, and most titles. */
const maxWords = 20_000;
const maxTitles = 500;
/** How many scores apart two words are equally near, and the worst score that is an error in typing: one in four letters. */
const tie = 0.08;
const worst = 0.26;
const options = {
  includeScore: true,
  ignoreLocation: true,
  ignoreFieldNorm: true,
  threshold: 0.4,
  minMatchCharLength: 2,
};

/** Makes a speller of a model's words and the values that are known. It costs nothing before its first use. */
export function makeSpeller(lexicon: Lexicon, values: readonly DimensionValues[]): Speller {
  const own: ReadonlySet<string> = new Set([...lexicon.vocabulary, ...cueVocabulary, ...aggregates]);
  let index: Fuse<string> | undefined;
  return {
    correct: word => {
      const norm = normalize(word);
      if (norm.length < 4 || norm.length > 30) return [];
      const related = relatedTo(norm, own);
      if (related !== undefined) return [related];
      index ??= new Fuse([...wordsOf(own, values)], options);
      const room = norm.length > 7 ? 2 : 1;
      const near = index
        .search(norm, { limit: 40 })
        .filter(({ item }) => item[0] === norm[0] && Math.abs(item.length - norm.length) <= room)
        .filter(({ item, score = 1 }) => score <= worst || lettersOf(item) === lettersOf(norm));
      const best = near[0]?.score ?? 1;
      const ties = near.filter(({ score = 1 }) => score <= best + tie).map(({ item }) => item);
      // Forms of one word are one, and a word of the model comes before one of the data.
      const stems = new Map(ties.toReversed().map(item => [stemOf(item), item]));
      const known = [...stems.values()].toReversed();
      return known.some(item => own.has(item)) ? known.filter(item => own.has(item)) : known;
    },
    nearest: (words, count) => nearestTitles(lexicon, words, count),
  };
}

function wordsOf(own: ReadonlySet<string>, values: readonly DimensionValues[]): Set<string> {
  const words = new Set(own);
  for (const { values: texts } of values) {
    for (const text of texts) {
      if (words.size > maxWords) return words;
      for (const word of text.match(/\p{L}{4,}/gu) ?? []) words.add(normalize(word));
    }
  }
  return words;
}

/** A word of the model with the same beginning: `departing` and `departure`. */
function relatedTo(norm: string, own: ReadonlySet<string>): string | undefined {
  const stem = stemOf(norm);
  return [...own].find(item => {
    const other = stemOf(item);
    return Math.min(stem.length, other.length) > 5 && (stem.startsWith(other) || other.startsWith(stem));
  });
}

/** Letters that have changed places count as two errors with the search, and are one. */
function lettersOf(word: string): string {
  return [...word].sort().join('');
}

function nearestTitles({ members }: Lexicon, words: readonly string[], count: number): string[] {
  const named = [...members.values()].filter(({ kind }) => kind !== MemberKind.segment);
  const titles = [...new Set(named.map(({ title }) => title))].slice(0, maxTitles);
  const index = new Fuse(titles, { ...options, threshold: 0.75 });
  const found = words.slice(0, 3).flatMap(word => index.search(word.slice(0, 30), { limit: count }));
  return [...new Set([...found.map(({ item }) => item), ...titles])].slice(0, count);
}
