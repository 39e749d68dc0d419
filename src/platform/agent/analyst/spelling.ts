import Fuse from 'fuse.js';
import { cueVocabulary } from './cues.js';
import type { Lexicon } from './lexicon.js';
import type { DimensionValues } from './values.js';
import { normalize, stemOf } from './words.js';

/** Words that may have been meant. */
export interface Speller {
  /** The nearest words, the best first; those after it are as near, or nearly. */
  correct(word: string): readonly string[];
  /** What is nearest to some words, however far. */
  nearest(words: readonly string[], count: number): readonly string[];
}

const aggregates = ['average', 'total', 'maximum', 'minimum', 'number'];
/** Most words of values that are looked through. */
const maxWords = 20_000;
/** How many scores apart two words are equally near. */
const tie = 0.08;

/** Makes a speller of a model's words and the values that are known. */
export function makeSpeller(lexicon: Lexicon, values: readonly DimensionValues[]): Speller {
  const options = {
    includeScore: true,
    ignoreLocation: true,
    ignoreFieldNorm: true,
    threshold: 0.4,
    minMatchCharLength: 2,
  };
  const own = new Set([...lexicon.vocabulary, ...cueVocabulary, ...aggregates]);
  const words = new Set(own);
  for (const { values: texts } of values) {
    for (const text of texts) {
      for (const word of text.match(/\p{L}{4,}/gu) ?? []) words.add(normalize(word));
      if (words.size > maxWords) break;
    }
  }
  const index = new Fuse([...words], options);
  const titles = [
    ...new Set([...lexicon.members.values()].filter(({ kind }) => kind !== 'segment').map(({ title }) => title)),
  ];
  const titleIndex = new Fuse(titles, { ...options, threshold: 0.75 });
  return {
    correct: word => {
      const norm = normalize(word);
      if (norm.length < 4 || norm.length > 30) return [];
      const stem = stemOf(norm);
      const related =
        norm.length > 6 ? [...own].filter(item => item.length > 5 && startsAlike(stemOf(item), stem)) : [];
      if (related.length > 0) return related.slice(0, 1);
      const room = norm.length > 7 ? 2 : 1;
      const near = index
        .search(norm, { limit: 40 })
        .filter(({ item }) => item[0] === norm[0] && Math.abs(item.length - norm.length) <= room)
        .filter(({ item, score = 1 }) => score <= 0.26 || lettersOf(item) === lettersOf(norm));
      const best = near[0]?.score ?? 1;
      const ties = near.filter(({ score = 1 }) => score <= best + tie).map(({ item }) => item);
      // Forms of one word are one, and a word of the model comes before one of the data.
      const stems = new Map(ties.toReversed().map(item => [stemOf(item), item]));
      const known = [...stems.values()].toReversed();
      return known.some(item => own.has(item)) ? known.filter(item => own.has(item)) : known;
    },
    nearest: (asked, count) => {
      const found = asked
        .slice(0, 3)
        .flatMap(word => titleIndex.search(word.slice(0, 30), { limit: count }).map(({ item }) => item));
      return [...new Set([...found, ...titles])].slice(0, count);
    },
  };
}

/** Letters that have changed places count as two errors with the search, and are one. */
function lettersOf(word: string): string {
  return [...word].sort().join('');
}

/** `departing` and `departure` have one beginning. */
function startsAlike(one: string, other: string): boolean {
  return Math.min(one.length, other.length) > 5 && (one.startsWith(other) || other.startsWith(one));
}
