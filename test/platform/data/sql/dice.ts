import fc from '../../../property.js';

/** Makes fast, reproducible choices from a seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns an integer from 0 to `below`, exclusive. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  /** Returns true once in this many times on average. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  /** Returns one of these. */
  of<T>(...some: readonly [T, ...T[]]): T {
    return some[this.below(some.length)] ?? some[0];
  }

  /** Returns one element of a non-empty list. */
  pick<T>(some: readonly T[]): T {
    const [one] = some.slice(this.below(some.length));
    if (one === undefined) throw new Error('nothing to choose from');
    return one;
  }

  /** Returns this many generated elements. */
  list<T>(length: number, one: (index: number) => T): T[] {
    return Array.from({ length }, (_, index) => one(index));
  }
}

/** Returns a generator for fast-check; failures print the generated value with its seed. */
export function madeBy<T>(make: (dice: Dice) => T): fc.Arbitrary<T> {
  return fc.integer().map(seed => make(new Dice(seed)));
}
