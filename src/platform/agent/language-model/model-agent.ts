import { LRUCache } from 'lru-cache';
import { LoggableError } from '../../errors.js';
import type { Agent, AgentContext, AgentEvent, AgentTurn } from '../agent.js';
import {
  connectModel,
  type ModelAddress,
  type ModelConnection,
  publicModelName,
  readBaseUrl,
} from './connect-model.js';
import { type ModelLimits, modelLimits } from './limits.js';
import { ModelProblem } from './model-problem.js';
import { askWithRetries, type ModelStep } from './model-step.js';
import { closingMessage, openingMessages, stepMessages, systemPrompt } from './prompt.js';
import { ToolCalls } from './tool-calls.js';
import { addUsage, readTurnState, type TurnState, usageOf } from './turn-state.js';

/** Options of the language model agent. */
export interface ModelAgentOptions extends ModelAddress {
  readonly limits?: Partial<ModelLimits>;
  /** Suggested first questions; none by default. */
  readonly suggestions?: Agent['suggestions'];
  /**
   * Called with the reason if the model gave no answer (a LoggableError), and with tool errors that are not a
   * PlatformError.
   */
  readonly onFailure?: (error: unknown) => void;
}

/** Maximum number of language models that stay connected. */
const maxConnections = 16;

/**
 * Creates an agent that answers with a language model behind an OpenAI-compatible service. The model acts only through
 * the tools of the turn's context, within the limits per turn. Dependencies are loaded with the first turn.
 * @throws Error if the base URL is invalid.
 */
export function createModelAgent(options: ModelAgentOptions): Agent {
  const { suggestions = async () => [] } = options;
  const limits = { ...modelLimits, ...options.limits };
  const connections = new LRUCache<string, Promise<ModelConnection>>({ max: maxConnections });
  readBaseUrl(options.baseUrl);
  return {
    async *run(turn, context) {
      const { model = options.model } = turn;
      const connection = connections.get(model) ?? connectModel({ ...options, model }, limits);
      connections.set(model, connection);
      yield* new ModelTurn(turn, context, { ...options, model }, limits).run(await connection);
    },
    suggestions,
  };
}

/** Runs one turn: sends requests until the model answers without a tool call or reaches a limit. */
class ModelTurn {
  readonly #turn: AgentTurn;
  readonly #context: AgentContext;
  readonly #limits: ModelLimits;
  readonly #onFailure: (error: unknown) => void;
  readonly #name: string;
  readonly #state: TurnState;
  readonly #calls: ToolCalls;

  constructor(turn: AgentTurn, context: AgentContext, options: ModelAgentOptions, limits: ModelLimits) {
    this.#turn = turn;
    this.#context = context;
    this.#limits = limits;
    this.#onFailure = options.onFailure ?? (() => {});
    this.#name = publicModelName(options.model);
    this.#state = readTurnState(turn.resumeFrom);
    this.#calls = new ToolCalls(context, limits, this.#state, this.#onFailure);
  }

  async *run(connection: ModelConnection): AsyncGenerator<AgentEvent, void> {
    try {
      for (;;) {
        const isLast = this.#calls.isSpent || this.#state.steps.length >= this.#limits.steps;
        const step = yield* this.#ask(connection, { isLast });
        if (step.usage) addUsage(this.#state.usage, step.usage);
        if (isLast || step.calls.length === 0 || isDeclined(step)) {
          yield* this.#conclude(step, { isLast });
          return;
        }
        yield* this.#act(step);
      }
    } catch (error) {
      if (this.#context.signal.aborted) return;
      if (!(error instanceof ModelProblem)) throw error;
      yield* this.#fail(error);
    }
  }

  async *#ask(
    connection: ModelConnection,
    { isLast }: { readonly isLast: boolean },
  ): AsyncGenerator<AgentEvent, ModelStep> {
    const messages = [
      ...openingMessages(this.#turn),
      ...stepMessages(this.#state),
      ...(isLast ? [closingMessage] : []),
    ];
    const { tools, signal } = this.#context;
    const request = {
      system: systemPrompt({ ...this.#turn, tools: new Set(tools.keys()), services: servicesOf(tools) }),
      messages,
      tools,
      toolChoice: isLast ? 'none' : 'auto',
    } as const;
    const onRequest = () => {
      this.#state.usage.llmCalls += 1;
    };
    return yield* askWithRetries(connection, request, { signal, limits: this.#limits, onRequest });
  }

  /** Runs the tool calls of the step. Text that precedes them is not the answer. */
  async *#act(step: ModelStep): AsyncGenerator<AgentEvent, void> {
    if (step.textId !== null) yield { type: 'text-end', id: step.textId, final: false };
    const calls = yield* this.#calls.run(step.calls);
    this.#state.steps.push({ text: step.text, calls });
    yield { type: 'step', state: structuredClone(this.#state) };
  }

  async *#conclude(step: ModelStep, { isLast }: { readonly isLast: boolean }): AsyncGenerator<AgentEvent, void> {
    if (step.textId !== null) yield { type: 'text-end', id: step.textId, final: true };
    if (isDeclined(step)) throw new ModelProblem('declined', 'the language model declined to answer');
    if (step.text.trim() === '') throw new ModelProblem('empty', 'the language model returned an empty response');
    if (step.finishReason === 'length')
      throw new ModelProblem('long', 'a response of the language model reached its length limit');
    yield { type: 'usage', usage: usageOf(this.#state, this.#name) };
    if (!isLast) yield { type: 'finish', reason: 'stop' };
    else yield { type: 'finish', reason: 'length', message: 'The answer was cut off and may be incomplete.' };
  }

  async *#fail(problem: ModelProblem): AsyncGenerator<AgentEvent, void> {
    this.#onFailure(new LoggableError(`A chat answer failed: ${problem.note}.`));
    yield { type: 'usage', usage: usageOf(this.#state, this.#name) };
    yield { type: 'finish', reason: problem.kind === 'long' ? 'length' : 'failed', message: problem.message };
  }
}

/** Returns the names of the other services that run tools. */
function servicesOf(tools: AgentContext['tools']): ReadonlySet<string> {
  return new Set([...tools.values()].flatMap(({ service }) => service ?? []));
}

function isDeclined({ isRefusal, finishReason }: ModelStep): boolean {
  return isRefusal || finishReason === 'content-filter';
}
