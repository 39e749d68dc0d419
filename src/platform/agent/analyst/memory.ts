import { createHash } from 'node:crypto';
import type { MetaResponse } from '../../../contract/data.js';
import type { CallerData } from '../agent.js';
import { type Lexicon, makeLexicon } from './lexicon.js';
import { CallerValues } from './values.js';

/** What is kept of one security context: the model as it may be seen, and values that came through queries under that context. */
export interface CallerMemory {
  readonly lexicon: Lexicon;
  readonly values: CallerValues;
}

/** Most lexicons that are kept. */
const maxLexicons = 16;

/**
 * Keeps what was learned of data for as long as they are at hand: callers share it who were given the same data, and so may see the same.
 * A lexicon holds names alone, and serves all who see the very same model.
 */
export class Memories {
  readonly #callers = new WeakMap<CallerData, CallerMemory>();
  /** In the order of last use, by a hash of the model as it is seen. */
  readonly #lexicons = new Map<string, Lexicon>();

  /** The memory of a caller, made anew where the model has changed. */
  of(data: CallerData): CallerMemory {
    const lexicon = this.#lexiconOf(data.meta());
    const kept = this.#callers.get(data);
    if (kept?.lexicon === lexicon) return kept;
    const made = { lexicon, values: new CallerValues(data) };
    this.#callers.set(data, made);
    return made;
  }

  #lexiconOf(meta: MetaResponse): Lexicon {
    const key = createHash('sha256').update(JSON.stringify(meta)).digest('base64');
    const lexicon = this.#lexicons.get(key) ?? makeLexicon(meta);
    this.#lexicons.delete(key);
    this.#lexicons.set(key, lexicon);
    const oldest = this.#lexicons.keys().next();
    if (this.#lexicons.size > maxLexicons && !oldest.done) this.#lexicons.delete(oldest.value);
    return lexicon;
  }
}
