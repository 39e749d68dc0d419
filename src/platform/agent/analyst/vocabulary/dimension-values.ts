import { LRUCache } from 'lru-cache';
import type { CallerData } from '../../../data/caller-data.js';
import type { TimeSlicer } from '../../../runtime/time-slicer.js';
import type { Member } from './lexicon.js';
import { readWords } from './words.js';

/** Values of one dimension that the caller may see. */
export interface DimensionValues {
  readonly member: Member;
  readonly values: readonly string[];
  /** False if the dimension has more values than the limit. */
  readonly complete: boolean;
  /** Values by the stems of their words, in order and separated by spaces. */
  readonly byStems: ReadonlyMap<string, readonly string[]>;
  /** Indexes of the values by each of their stems, and by `,`. */
  readonly byStem: ReadonlyMap<string, readonly number[]>;
  /** Words as candidates for correcting typos. */
  readonly words: ReadonlySet<string>;
}

/** Maximum number of cached values of a dimension, and maximum length of one in characters. */
const maxValues = 1000;
const maxLength = 200;
/** Maximum number of values that differ only in punctuation, case and endings. */
const maxAlike = 20;
/** Number of days at each end of the data, which show whether the data has one value per month or year. */
const maxEdgeDays = 5;
/** Maximum number of cached lookups per caller, and their TTL in milliseconds. */
const maxLookups = 60;
const maxAgeMs = 5 * 60_000;
/**
 * Timeout of a lookup in milliseconds. It is independent of the first caller's signal, because other callers may share
 * the result.
 */
const lookupMs = 30_000;

/** Indexes the values of a dimension, so that a question does not have to scan them. */
export async function indexValues(
  member: Member,
  { values, complete }: Pick<DimensionValues, 'values' | 'complete'>,
  timeSlicer: TimeSlicer,
): Promise<DimensionValues> {
  const byStems = new Map<string, string[]>();
  const byStem = new Map<string, number[]>();
  const words = new Set<string>();
  for (const [place, value] of values.entries()) {
    if (timeSlicer.isDue) await timeSlicer.rest();
    const own = readWords(value);
    const stems = own.flatMap(({ norm, stem }) => (norm === ',' ? [] : [stem]));
    if (stems.length === 0) continue;
    push(byStems, stems.join(' '), value, maxAlike);
    for (const { norm, stem } of own) {
      if (byStem.get(stem)?.at(-1) !== place) push(byStem, stem, place, maxValues);
      if (norm.length > 3 && /^\p{L}+$/u.test(norm)) words.add(norm);
    }
  }
  return { member, values, complete, byStems, byStem, words };
}

function push<V>(index: Map<string, V[]>, key: string, value: V, maxLength: number): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [value]);
  else if (list.length < maxLength) list.push(value);
}

/**
 * Caches the values visible in one security context. Every value was returned by a query in that same context, so
 * values never leak between contexts.
 */
export class CallerValues {
  readonly #data: CallerData;
  readonly #timeSlicer: TimeSlicer;
  readonly #values = new PromiseCache<DimensionValues>();
  readonly #days = new PromiseCache<readonly string[]>();

  constructor(data: CallerData, timeSlicer: TimeSlicer) {
    this.#data = data;
    this.#timeSlicer = timeSlicer;
  }

  /** Returns all values of a dimension, or none if there are too many. */
  of(member: Member, now: number): Promise<DimensionValues> {
    return this.#values.get(member.name, now, () => this.#load(member));
  }

  /** Returns the values of a dimension that contain a search term. */
  async search(member: Member, text: string, signal: AbortSignal): Promise<DimensionValues> {
    const filters = [{ member: member.name, operator: 'contains' as const, values: [text] }];
    const { rowSet } = await this.#data.load({ dimensions: [member.name], filters, limit: 20 }, { signal });
    return indexValues(member, { values: textsOf(rowSet.rows, member.name), complete: false }, this.#timeSlicer);
  }

  /** Returns the first or last days with data (`YYYY-MM-DD`), starting from the edge; empty if there is no data. */
  edgeDays(member: Member, edge: 'first' | 'last', now: number): Promise<readonly string[]> {
    return this.#days.get(`${edge} ${member.name}`, now, () => this.#loadDays(member, edge));
  }

  async #load(member: Member): Promise<DimensionValues> {
    const query = { dimensions: [member.name], order: { [member.name]: 'asc' as const }, limit: maxValues + 1 };
    const { rowSet } = await this.#data.load(query, { signal: AbortSignal.timeout(lookupMs) });
    const isComplete = rowSet.rows.length <= maxValues;
    const values = isComplete ? textsOf(rowSet.rows, member.name) : [];
    return indexValues(member, { values, complete: isComplete }, this.#timeSlicer);
  }

  async #loadDays(member: Member, edge: 'first' | 'last'): Promise<readonly string[]> {
    const column = `${member.name}.day`;
    const query = {
      timeDimensions: [{ dimension: member.name, granularity: 'day' }],
      filters: [{ member: member.name, operator: 'set' as const }],
      order: { [member.name]: edge === 'first' ? ('asc' as const) : ('desc' as const) },
      limit: maxEdgeDays,
    };
    const { rowSet } = await this.#data.load(query, { signal: AbortSignal.timeout(lookupMs) });
    return textsOf(rowSet.rows, column).flatMap(cell => (/^\d{4}-\d\d-\d\d/.test(cell) ? cell.slice(0, 10) : []));
  }
}

/**
 * A cache of promises with a TTL and a maximum size. Evicts the least recently used entries and removes rejected
 * promises.
 */
class PromiseCache<V> {
  readonly #entries = new LRUCache<string, { readonly at: number; readonly made: Promise<V> }>({ max: maxLookups });

  get(key: string, now: number, make: () => Promise<V>): Promise<V> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && Math.abs(now - entry.at) < maxAgeMs) return entry.made;
    const made = make();
    const added = { at: now, made };
    this.#entries.set(key, added);
    made.catch(() => {
      if (this.#entries.peek(key) === added) this.#entries.delete(key);
    });
    return made;
  }
}

function textsOf(rows: readonly Readonly<Record<string, unknown>>[], column: string): string[] {
  return rows.flatMap(row => {
    const value = row[column];
    return typeof value === 'string' && value !== '' && value.length <= maxLength ? [value] : [];
  });
}

/** A dimension value. */
export interface IndexedValue {
  readonly member: Member;
  readonly value: string;
}

/**
 * Finds the values that contain given stems. Uses one bitmap per stem with one bit per value, so the lookup time
 * depends only on the number of values.
 */
export class ValueIndex {
  readonly #values: readonly DimensionValues[];
  readonly #size: number;
  readonly #bits = new Map<string, Uint32Array | null>();

  constructor(values: readonly DimensionValues[]) {
    this.#values = values;
    this.#size = Math.ceil(values.reduce((sum, one) => sum + one.values.length, 0) / 32);
  }

  /** Returns the values that contain all stems, or none if more than `maxCount` match. */
  of(stems: readonly string[], maxCount: number): IndexedValue[] {
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
        if (places.length === maxCount) return [];
        places.push(index * 32 + 31 - Math.clz32(bits & -bits));
      }
    }
    return places.flatMap(place => this.#at(place) ?? []);
  }

  /** Returns the bitmap of a stem, or `null` if no value contains it. */
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

  #at(place: number): IndexedValue | undefined {
    let left = place;
    for (const { member, values } of this.#values) {
      const value = values[left];
      if (left < values.length && value !== undefined) return { member, value };
      left -= values.length;
    }
    return undefined;
  }
}
