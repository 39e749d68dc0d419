import type { DimensionValues, IndexedValue } from './dimension-values.js';

interface Sex {
  readonly nouns: ReadonlySet<string>;
  readonly values: RegExp;
}

const sexes: readonly Sex[] = [
  {
    nouns: new Set('woman women female females lady ladies girl girls'.split(' ')),
    values: /^(?:f|female|females|w|woman|women)$/i,
  },
  {
    nouns: new Set('man men male males gentleman gentlemen boy boys'.split(' ')),
    values: /^(?:m|male|males|man|men)$/i,
  },
];

/** Returns the values of sex or gender columns to which a noun for people may refer. */
export function sexValues(norm: string, values: readonly DimensionValues[]): IndexedValue[] {
  const sex = sexes.find(({ nouns }) => nouns.has(norm));
  if (sex === undefined) return [];
  return values.flatMap(({ member, values: all }) =>
    /\b(?:sex|gender)\b/i.test(member.title)
      ? all.filter(value => sex.values.test(value)).map(value => ({ member, value }))
      : [],
  );
}
