import fc from '../../../property.js';

/** Choices that follow from one number: cheap to make, and the same again for the same number. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 up to, but not including, `below`. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  /** One of these. */
  of<T>(...some: readonly [T, ...T[]]): T {
    return some[this.below(some.length)] ?? some[0];
  }

  /** One of a list that isn't empty. */
  pick<T>(some: readonly T[]): T {
    const [one] = some.slice(this.below(some.length));
    if (one === undefined) throw new Error('nothing to choose from');
    return one;
  }

  /** So many of whatever is made. */
  list<T>(length: number, one: (index: number) => T): T[] {
    return Array.from({ length }, (_, index) => one(index));
  }
}

/** What is made by choices, for fast-check: a case that fails is told as it is, with its seed. */
export function madeBy<T>(make: (dice: Dice) => T): fc.Arbitrary<T> {
  return fc.integer().map(seed => make(new Dice(seed)));
}
