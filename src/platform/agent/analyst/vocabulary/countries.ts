import type { DimensionValues } from './dimension-values.js';
import { MemberKind } from './lexicon.js';
import { normalize } from './words.js';

const nouns = new Set(['country', 'countries', 'nation', 'nations', 'region', 'regions']);
/** Usual abbreviations, which `Intl.DisplayNames` does not list. */
const abbreviations = ['us', 'usa', 'uk', 'uae', 'united states of america', 'great britain'];
/** UN M.49 codes of continents and their parts. */
const continents = ['001', '002', '003', '005', '009', '013', '019', '021', '142', '150', '419'];
/** Minimum share of the values of a dimension that must be names of countries. */
const minShare = 0.6;
const maxValues = 300;
let names: ReadonlySet<string> | undefined;

/** Whether a word is a noun for countries, as in `each country`. */
export function isCountryNoun(norm: string): boolean {
  return nouns.has(norm);
}

/** Returns the dimensions with countries or continents as values, regardless of their title (`Origin`, `Market`). */
export function countryDimensions(values: readonly DimensionValues[]): DimensionValues[] {
  return values.filter(
    ({ member, values: all }) =>
      member.kind === MemberKind.dimension &&
      all.length > 0 &&
      all.length <= maxValues &&
      all.filter(value => isCountry(value)).length >= minShare * all.length,
  );
}

const peoples = /(?:ese|ean|ian|an|ish|n)$/;
/** Adjectives that do not begin with the same letters as the name of their country. */
const irregular: Readonly<Record<string, readonly string[]>> = {
  american: abbreviations.filter(name => name.startsWith('us') || name.includes('states')).concat('united states'),
  british: ['uk', 'great britain', 'united kingdom'],
};

/** Returns the values that name the country of an adjective: `Japan` for `japanese`, `USA` for `american`. */
export function countryValues(norm: string, { values }: DimensionValues): string[] {
  const names = Object.hasOwn(irregular, norm) ? irregular[norm] : undefined;
  const root = norm.replace(peoples, '');
  if (names === undefined && (root === norm || root.length < 4)) return [];
  return values.filter(value => {
    const country = normalize(value);
    return names ? names.includes(country) : country.startsWith(root) && isCountry(value);
  });
}

function isCountry(value: string): boolean {
  names ??= countryNames();
  return names.has(normalize(value).trim());
}

function countryNames(): Set<string> {
  const display = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const codes = [...letters.flatMap(first => letters.map(second => first + second)), ...continents];
  return new Set([...abbreviations, ...codes.flatMap(code => normalize(display.of(code) ?? ''))].filter(Boolean));
}
