import { LRUCache } from 'lru-cache';
import { createFormatter, type Formatter } from '../../../report/format/format.js';
import type { CallerData } from '../../data/caller-data.js';
import { type Agent, type AgentContext, type AgentTile, type AgentTool, type AgentTurn, noUsage } from '../agent.js';
import { createReadQuestion } from '../tools/read-question.js';
import type { ToolOptions } from '../tools/tool-input.js';
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

/** The built-in analyst. */
export interface Analyst extends Agent {
  /** Creates the tool that interprets a question for a language model in the same way as the analyst. */
  questionReader(data: CallerData, options: ToolOptions): AgentTool;
  /** Describes the numbers of a tile in Markdown; `null` if its query cannot be read as a question, or fails. */
  describeTile(turn: AgentTurn, context: AgentContext, tile: AgentTile): Promise<string | null>;
}

/** Options of the built-in analyst. */
export interface AnalystOptions {
  /** Model name reported in `usage`; `built-in` by default. */
  readonly name?: string;
}

/**
 * Creates an agent that works without a language model. The agent interprets a question against the semantic model,
 * runs the resulting query and states its interpretation. It requests clarification if two interpretations are
 * similarly likely, rejects questions that it cannot answer, and reports only numbers from query results.
 */
export function createAnalyst({ name = 'built-in' }: AnalystOptions = {}): Analyst {
  const memories = new CallerMemories();
  const formatters = new FormatterCache();
  // Lazy-load the interpreter when the first question arrives.
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
    async describeTile(turn, context, tile) {
      const [[{ Session }], { describeTile }] = await Promise.all([load(), import('./summarize.js')]);
      const memory = await memories.of(context.data);
      const session = new Session(memory, turn, context.signal);
      return describeTile({ turn, context, memory, session, formatter: formatters.of(turn.locale) }, tile);
    },
    questionReader: (data, { timezone = 'UTC', now = () => new Date() }) =>
      createReadQuestion(async (question, signal) => {
        const [[{ Session }], { readQuestion }] = await Promise.all([load(), import('./question-reader.js')]);
        return readQuestion(question, new Session(await memories.of(data), { now: now(), timezone }, signal));
      }),
  };
}
