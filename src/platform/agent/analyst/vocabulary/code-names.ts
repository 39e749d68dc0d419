import type { DimensionValues } from './dimension-values.js';
import { normalize } from './words.js';

/** Codes of the states of the USA, which `Intl.DisplayNames` does not list. */
const states =
  'alabama=AL|alaska=AK|arizona=AZ|arkansas=AR|california=CA|colorado=CO|connecticut=CT|delaware=DE|florida=FL|georgia=GA|hawaii=HI|idaho=ID|illinois=IL|indiana=IN|iowa=IA|kansas=KS|kentucky=KY|louisiana=LA|maine=ME|maryland=MD|massachusetts=MA|michigan=MI|minnesota=MN|mississippi=MS|missouri=MO|montana=MT|nebraska=NE|nevada=NV|new hampshire=NH|new jersey=NJ|new mexico=NM|new york=NY|north carolina=NC|north dakota=ND|ohio=OH|oklahoma=OK|oregon=OR|pennsylvania=PA|rhode island=RI|south carolina=SC|south dakota=SD|tennessee=TN|texas=TX|utah=UT|vermont=VT|virginia=VA|washington=WA|west virginia=WV|wisconsin=WI|wyoming=WY';

/** Normalized names by code. */
type CodeNames = ReadonlyMap<string, string>;

interface CodeList {
  /** Titles of dimensions with these codes. */
  readonly title: RegExp;
  readonly names: () => CodeNames;
}

const lists: readonly CodeList[] = [
  { title: /\bstates?\b/i, names: once(stateNames) },
  { title: /\b(?:country|countries|nation|market)\b/i, names: once(countryNames) },
];
/** Minimum share of the values of a dimension that must be codes. */
const minShare = 0.6;

function once<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

function stateNames(): CodeNames {
  return new Map(states.split('|').map(pair => pair.split('=').toReversed() as [code: string, name: string]));
}

function countryNames(): CodeNames {
  const display = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const codes = letters.flatMap(first => letters.map(second => first + second));
  return new Map(
    codes.map(code => [code, normalize(display.of(code) ?? '')] as const).filter(([, name]) => name !== ''),
  );
}

/** A dimension with codes as values, and the names that they stand for. */
export interface NamedCodes {
  readonly dimension: DimensionValues;
  readonly names: CodeNames;
}

/** Returns the dimensions whose titles and values show that they contain codes of countries or states. */
export function namedCodes(values: readonly DimensionValues[]): NamedCodes[] {
  return values.flatMap(dimension => {
    const list = lists.find(({ title }) => title.test(dimension.member.title));
    if (list === undefined || dimension.values.length === 0) return [];
    const names = list.names();
    const found = dimension.values.filter(value => names.has(value)).length;
    return found >= minShare * dimension.values.length ? [{ dimension, names }] : [];
  });
}
