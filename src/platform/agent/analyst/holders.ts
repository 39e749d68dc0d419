import type { Member } from './lexicon.js';
import type { DimensionValues } from './values.js';

/** A value of a dimension. */
export interface Holder {
  readonly member: Member;
  readonly value: string;
}

/** Finds the values that hold some stems, in time that hangs on their number alone: a bit for each value, a row of bits for each stem. */
export class Holders {
  readonly #values: readonly DimensionValues[];
  readonly #size: number;
  readonly #bits = new Map<string, Uint32Array | null>();

  constructor(values: readonly DimensionValues[]) {
    this.#values = values;
    this.#size = Math.ceil(values.reduce((sum, one) => sum + one.values.length, 0) / 32);
  }

  /** The values that hold all of some stems; none where they are more than `most`. */
  of(stems: readonly string[], most: number): Holder[] {
    const rows: Uint32Array[] = [];
    for (const stem of new Set(stems)) {
      const row = this.#rowOf(stem);
      if (row === null) return [];
      rows.push(row);
    }
    const places: number[] = [];
    for (let index = 0; index < this.#size; index += 1) {
      let bits = -1;
      for (const row of rows) bits &= row[index] ?? 0;
      for (; bits !== 0; bits &= bits - 1) {
        if (places.length === most) return [];
        places.push(index * 32 + 31 - Math.clz32(bits & -bits));
      }
    }
    return places.flatMap(place => this.#at(place) ?? []);
  }

  /** Null where no value holds the stem. */
  #rowOf(stem: string): Uint32Array | null {
    const known = this.#bits.get(stem);
    if (known !== undefined) return known;
    let row: Uint32Array | null = null;
    let start = 0;
    for (const { values, byStem } of this.#values) {
      for (const place of byStem.get(stem) ?? []) {
        row ??= new Uint32Array(this.#size);
        const at = start + place;
        row[at >>> 5] = (row[at >>> 5] ?? 0) | (1 << (at & 31));
      }
      start += values.length;
    }
    this.#bits.set(stem, row);
    return row;
  }

  #at(place: number): Holder | undefined {
    let left = place;
    for (const { member, values } of this.#values) {
      const value = values[left];
      if (left < values.length && value !== undefined) return { member, value };
      left -= values.length;
    }
    return undefined;
  }
}
