import { someOf } from '../rewrite.js';
import type { Expression } from '../tree.js';
import type { Places } from './reading.js';

/** Where a part of Postgres' tree begins in the text, as far as the tree tells: the first place that stands in it. */
export function placeOf(part: object): number | undefined {
  let first: number | undefined;
  const rest: object[] = [part];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const [key, value] of Object.entries(next)) {
      if (key === 'location' && typeof value === 'number' && value >= 0) first = Math.min(first ?? value, value);
      else if (typeof value === 'object' && value !== null) rest.push(value);
    }
  }
  return first;
}

/** Where something that is named in a value stands in the text. */
export function placeIn(places: Places, value: Expression): number | undefined {
  let at: number | undefined;
  someOf(value, part => {
    at = places.get(part)?.at;
    return at !== undefined;
  });
  return at;
}
