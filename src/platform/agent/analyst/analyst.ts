import { createFormatter, type Formatter } from '../../../report/format/format.js';
import { type Agent, noUsage } from '../agent.js';
import { CallerMemories } from './caller-memory.js';

/** Most languages whose formatters are kept. */
const maxFormatters = 16;

/** Keeps the formatters of the languages that were written last: to make one takes longer than to write an answer with it. */
export class FormatterCache {
  /** In the order of last use. */
  readonly #kept = new Map<string, Formatter>();

  /** The formatter of a language. */
  of(locale: string): Formatter {
    const formatter = this.#kept.get(locale) ?? createFormatter(locale);
    this.#kept.delete(locale);
    this.#kept.set(locale, formatter);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > maxFormatters && !oldest.done) this.#kept.delete(oldest.value);
    return formatter;
  }
}

/** What the built-in analyst may be told. */
export interface AnalystOptions {
  /** Name under which it stands in `usage`; `built-in` by default. */
  readonly name?: string;
}

/**
 * The agent that needs no language model: it reads a question against the semantic model, runs the query that it stands for and says what
 * it understood. It asks back where two readings are near, refuses what it can't know, and names no figure that no query gave.
 */
export function createAnalyst({ name = 'built-in' }: AnalystOptions = {}): Agent {
  const memories = new CallerMemories();
  const formatters = new FormatterCache();
  // What reads questions is loaded with the first of them.
  const load = () => Promise.all([import('./session.js'), import('./answering/suggestions.js')]);
  return {
    async *run(turn, context) {
      const [{ Session }] = await load();
      const { respond } = await import('./respond.js');
      const memory = await memories.of(context.data);
      try {
        const session = new Session(memory, turn, context.signal);
        for await (const event of respond({ turn, context, memory, session, formatter: formatters.of(turn.locale) })) {
          if (context.signal.aborted) return;
          yield event;
        }
      } catch (error) {
        if (context.signal.aborted) return;
        throw error;
      }
      if (context.signal.aborted) return;
      yield { type: 'usage', usage: { ...noUsage, models: [name] } };
      yield { type: 'finish', reason: 'stop' };
    },
    async suggestions(data) {
      const [{ Session }, { suggestQuestions }] = await load();
      const memory = await memories.of(data);
      const session = new Session(memory, { now: new Date(), timezone: 'UTC' }, new AbortController().signal);
      return suggestQuestions(memory.lexicon, session);
    },
  };
}
