import { LRUCache } from 'lru-cache';
import { createFormatter, type Formatter } from '../../../report/format/format.js';
import { type Agent, noUsage } from '../agent.js';
import { CallerMemories } from './caller-memory.js';

/** Maximum number of cached formatters, one per language. */
const maxFormatters = 16;

/** Caches formatters of recently used languages, because creating one takes longer than writing an answer with it. */
export class FormatterCache {
  readonly #formatters = new LRUCache<string, Formatter>({ max: maxFormatters });

  /** Returns the formatter of a language. */
  of(locale: string): Formatter {
    const formatter = this.#formatters.get(locale) ?? createFormatter(locale);
    this.#formatters.set(locale, formatter);
    return formatter;
  }
}

/** Options of the built-in analyst. */
export interface AnalystOptions {
  /** Model name reported in `usage`; `built-in` by default. */
  readonly name?: string;
}

/**
 * Creates an agent that works without a language model. It interprets a question against the semantic model, runs the
 * resulting query and states its interpretation. It requests clarification if two interpretations are similarly likely,
 * rejects questions that it cannot answer, and only reports figures from query results.
 */
export function createAnalyst({ name = 'built-in' }: AnalystOptions = {}): Agent {
  const memories = new CallerMemories();
  const formatters = new FormatterCache();
  // Lazy-load the interpreter with the first question.
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
