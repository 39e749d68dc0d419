import { createFormatter, type Formatter } from '../../../report/format.js';

/** Most languages whose formatters are kept. */
const maxKept = 16;

/** Keeps the formatters of the languages that were written last: to make one takes longer than to write an answer with it. */
export class Formatters {
  /** In the order of last use. */
  readonly #kept = new Map<string, Formatter>();

  /** The formatter of a language. */
  of(locale: string): Formatter {
    const formatter = this.#kept.get(locale) ?? createFormatter(locale);
    this.#kept.delete(locale);
    this.#kept.set(locale, formatter);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > maxKept && !oldest.done) this.#kept.delete(oldest.value);
    return formatter;
  }
}
