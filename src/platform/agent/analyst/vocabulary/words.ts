/** A word of a question or title, and its position in the text. */
export interface Word {
  readonly text: string;
  /** In lowercase, without accents or apostrophes. */
  readonly norm: string;
  /** Stem that the inflections share: `delays` and `delayed` both have the stem `delay`. */
  readonly stem: string;
  /** Start index in the text. */
  readonly from: number;
  readonly to: number;
  /** Number of the quotation that contains the word, or `null`. */
  readonly quote: number | null;
  /** Whether the word carries no meaning alone and is not joined to others by a hyphen (`on-time`). */
  readonly stop: boolean;
}

/** Maximum number of words that are read from one string. */
export const maxWords = 150;

// The branches match greedily without backtracking, so that the text is read in one pass.
const pattern =
  /\d{4}-\d\d(?:-\d\d)?(?!\d)|\d+(?:[.,]\d+)*(?:%|[a-z]{1,2}(?![a-z]))?|\p{L}[\p{L}\p{M}\p{N}]*(?:['’][\p{L}\p{M}]+)*|[<>]=?|=|%|,/giu;

const stops = new Set(
  (
    'a an the of in on at to for from with within is are was were be been am i me my we us our you your it its this that these those there here ' +
    'do does did done have has had having what whats which who whom whose when where how and or as by please by so then than into onto off ' +
    'their they them he she his her can could would should shall may might must will just any some one ones own if about all ok okay s'
  ).split(' '),
);

/** Returns the words of the text, at most `maxWords`, including commas and comparison signs. */
export function readWords(text: string): Word[] {
  const quotes = quotationsOf(text);
  const words: Word[] = [];
  for (const match of text.matchAll(pattern)) {
    const [from, to] = [match.index, match.index + match[0].length];
    const norm = normalize(match[0]);
    const hyphen = (text[from - 1] === '-' && from > 1) || (text[to] === '-' && /\p{L}/u.test(text[to + 1] ?? ''));
    const quote = quotes.findIndex(([start, end]) => from >= start && to <= end);
    words.push({
      text: match[0],
      norm,
      stem: stemOf(norm),
      from,
      to,
      quote: quote < 0 ? null : quote,
      stop: stops.has(norm) && !hyphen,
    });
    if (words.length === maxWords) break;
  }
  return words;
}

/** Returns the stems of the text for comparison. */
export function stemsOf(text: string): string[] {
  return readWords(text)
    .filter(word => !word.stop)
    .map(word => word.stem);
}

/** Returns a key that is independent of the order of the stems. */
export function keyOf(stems: readonly string[]): string {
  return [...new Set(stems)].sort().join(' ');
}

/** Returns the text in lowercase, without accents or apostrophes. */
export function normalize(text: string): string {
  const plain = /^[\x20-\x7e]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replace(/['’]/g, '');
}

const aggregates: ReadonlyMap<string, string> = new Map(
  Object.entries({
    average: 'average',
    avg: 'average',
    mean: 'average',
    total: 'total',
    sum: 'total',
    overall: 'total',
    max: 'max',
    maximum: 'max',
    min: 'min',
    minimum: 'min',
    count: 'count',
    number: 'count',
    rows: 'count',
    records: 'count',
    rowcount: 'count',
    median: 'median',
    typical: 'median',
  }),
);

/** Returns the canonical word of an aggregate (`average` for `avg` and `mean`), or `undefined` for other words. */
export function aggregateOf(norm: string): string | undefined {
  return aggregates.get(norm);
}

/** Removes English endings: plural, -ed, -ing. Both spellings of `cancelled` have the same stem. */
export function stemOf(norm: string): string {
  const aggregate = aggregateOf(norm);
  if (aggregate !== undefined) return aggregate;
  let stem = norm;
  if (stem.length > 4 && stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (stem.length > 3 && /[^su]s$/.test(stem) && !stem.endsWith('is')) stem = stem.slice(0, -1);
  if (stem === 'number') return 'count';
  if (stem.length > 5 && stem.endsWith('ing')) stem = stem.slice(0, -3);
  else if (stem.length > 4 && stem.endsWith('ed')) stem = stem.slice(0, -2);
  if (stem.length > 3 && stem.endsWith('e')) stem = stem.slice(0, -1);
  if (stem.length > 3 && /([b-df-hj-np-tv-z])\1$/.test(stem)) return stem.slice(0, -1);
  // Map the ends of `city` and `cities`, and of `movie` and `movies`, to the same stem.
  return stem.length > 3 && /[^aeiou]y$/.test(stem) ? `${stem.slice(0, -1)}i` : stem;
}

function quotationsOf(text: string): (readonly [from: number, to: number])[] {
  if (!/["“„«']/.test(text)) return [];
  // A single quotation mark within a word or after a plural is an apostrophe.
  return [
    ...text.matchAll(
      /"[^"]{1,200}"|“[^”]{1,200}”|„[^“]{1,200}“|«[^»]{1,200}»|(?<=^|[\s(,])'(?=\p{L})[^'"]{1,60}(?<=\S)'(?![\p{L}\p{N}])/gu,
    ),
  ].map(match => [match.index, match.index + match[0].length]);
}
