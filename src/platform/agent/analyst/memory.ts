import type { CallerData } from '../agent.js';
import { type Lexicon, makeLexicon } from './lexicon.js';
import { CallerValues } from './values.js';

/** What is kept of one caller: the model as the caller may see it, and values that came through the caller's own queries. */
export interface CallerMemory {
  readonly lexicon: Lexicon;
  readonly values: CallerValues;
}

/** Keeps what was learned of each caller for as long as the caller's data are at hand. Nothing is shared among callers. */
export class Memories {
  readonly #kept = new WeakMap<CallerData, CallerMemory & { readonly version: string }>();

  /** The memory of a caller, made anew where the model has changed. */
  of(data: CallerData): CallerMemory {
    const meta = data.meta();
    const kept = this.#kept.get(data);
    const version = meta.compilerId ?? '';
    if (kept && version !== '' && kept.version === version) return kept;
    const made = { lexicon: makeLexicon(meta), values: new CallerValues(data), version };
    this.#kept.set(data, made);
    return made;
  }
}
