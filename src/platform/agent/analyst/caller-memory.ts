import { createHash } from 'node:crypto';
import type { MetaResponse } from '../../../contract/meta.js';
import type { CallerData } from '../../data/caller-data.js';
import { TimeSlicer } from '../../runtime/time-slicer.js';
import { CallerValues } from './vocabulary/dimension-values.js';
import { type Lexicon, makeLexicon } from './vocabulary/lexicon.js';
import { makeSpeller, type Speller } from './vocabulary/spelling.js';

/** What is kept of one security context: the model as it may be seen, and values that came through queries under that context. */
export interface CallerMemory {
  readonly lexicon: Lexicon;
  readonly speller: Speller;
  readonly values: CallerValues;
  /** One for all: many who ask at once hold up others no longer than one of them. */
  readonly pace: TimeSlicer;
}

/** Most lexicons that are kept. */
const maxLexicons = 16;

/**
 * Keeps what was learned of data for as long as they are at hand: callers share it who were given the same data, and so may see the same.
 * A lexicon holds names alone, and serves all who see the very same model.
 */
export class CallerMemories {
  readonly #callers = new WeakMap<CallerData, CallerMemory>();
  /** In the order of last use, by a hash of the model as it is seen. */
  readonly #lexicons = new Map<string, Promise<Lexicon>>();
  readonly #pace = new TimeSlicer();

  /** The memory of a caller, made anew where the model has changed. */
  async of(data: CallerData): Promise<CallerMemory> {
    const pace = this.#pace;
    const lexicon = await this.#lexiconOf(await data.meta());
    const kept = this.#callers.get(data);
    if (kept?.lexicon === lexicon) return kept;
    const made = { lexicon, speller: makeSpeller(lexicon), values: new CallerValues(data, pace), pace };
    this.#callers.set(data, made);
    return made;
  }

  async #lexiconOf(meta: MetaResponse): Promise<Lexicon> {
    const hash = createHash('sha256');
    for (const cube of meta.cubes) {
      if (this.#pace.isDue) await this.#pace.rest();
      hash.update(JSON.stringify(cube));
    }
    const key = hash.digest('base64');
    const lexicon = this.#lexicons.get(key) ?? makeLexicon(meta, this.#pace);
    this.#lexicons.delete(key);
    this.#lexicons.set(key, lexicon);
    const oldest = this.#lexicons.keys().next();
    if (this.#lexicons.size > maxLexicons && !oldest.done) this.#lexicons.delete(oldest.value);
    return lexicon;
  }
}
