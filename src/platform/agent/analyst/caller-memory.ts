import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { MetaResponse } from '../../../contract/meta.js';
import type { CallerData } from '../../data/caller-data.js';
import { TimeSlicer } from '../../runtime/time-slicer.js';
import { CallerValues } from './vocabulary/dimension-values.js';
import { type Lexicon, makeLexicon } from './vocabulary/lexicon.js';
import { makeSpeller, type Speller } from './vocabulary/spelling.js';

/** Cached data of one security context: the visible model, and the values that queries in this context returned. */
export interface CallerMemory {
  readonly lexicon: Lexicon;
  readonly speller: Speller;
  readonly values: CallerValues;
  /**
   * Limits how long questions block the event loop. Shared by all callers, so that concurrent questions share this
   * limit.
   */
  readonly timeSlicer: TimeSlicer;
}

/** Maximum number of cached lexicons. */
const maxLexicons = 16;

/**
 * Caches lexicons and values of a caller's data for as long as the `CallerData` object is in use. Callers with the same
 * `CallerData`, and therefore the same permissions, share an entry. A lexicon contains only names and is shared by all
 * callers with an identical visible model.
 */
export class CallerMemories {
  readonly #callers = new WeakMap<CallerData, CallerMemory>();
  /** Lexicons by a hash of the visible model. */
  readonly #lexicons = new LRUCache<string, Promise<Lexicon>>({ max: maxLexicons });
  /** Lexicons by the object of the visible model, which several callers may share. */
  readonly #known = new WeakMap<MetaResponse, Promise<Lexicon>>();
  readonly #timeSlicer = new TimeSlicer();

  /** Returns the memory of a caller. Creates one if there is none or the model has changed. */
  async of(data: CallerData): Promise<CallerMemory> {
    const timeSlicer = this.#timeSlicer;
    const lexicon = await this.#lexiconOf(await data.meta());
    const cached = this.#callers.get(data);
    if (cached?.lexicon === lexicon) return cached;
    const made = { lexicon, speller: makeSpeller(lexicon), values: new CallerValues(data, timeSlicer), timeSlicer };
    this.#callers.set(data, made);
    return made;
  }

  #lexiconOf(meta: MetaResponse): Promise<Lexicon> {
    const known = this.#known.get(meta) ?? this.#findLexicon(meta);
    this.#known.set(meta, known);
    return known;
  }

  async #findLexicon(meta: MetaResponse): Promise<Lexicon> {
    const hash = createHash('sha256');
    for (const cube of meta.cubes) {
      if (this.#timeSlicer.isDue) await this.#timeSlicer.rest();
      hash.update(JSON.stringify(cube));
    }
    const key = hash.digest('base64');
    const lexicon = this.#lexicons.get(key) ?? makeLexicon(meta, this.#timeSlicer);
    this.#lexicons.set(key, lexicon);
    return lexicon;
  }
}
