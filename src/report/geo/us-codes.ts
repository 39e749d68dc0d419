import { addName, type Places, placeKey } from './places.js';

/** FIPS and postal codes of all states. */
const codes =
  '01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME 24MD 25MA ' +
  '26MI 27MN 28MS 29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI 45SC 46SD 47TN 48TX ' +
  '49UT 50VT 51VA 53WA 54WV 55WI 56WY';

/** Additional names of states. */
const aliases: Readonly<Record<string, string>> = {
  '11': 'Washington DC',
  '36': 'New York State',
  '53': 'Washington State',
};

/**
 * Creates a lookup of states by postal code, FIPS code (with or without leading zero), ISO 3166-2 (`US-TX`) or English
 * name.
 */
export function usPlaces(names: ReadonlyMap<string, string>): Places {
  const ids = new Map<string, string>();
  for (const code of codes.split(' ')) {
    const [id, postal] = [code.slice(0, 2), code.slice(2)];
    for (const key of [id, String(Number(id)), postal, `US-${postal}`]) addName(ids, key, id);
    for (const name of [names.get(id), aliases[id]]) if (name) addName(ids, name, id);
  }
  return { find: text => ids.get(placeKey(text)) ?? null, name: id => names.get(id) ?? id };
}
