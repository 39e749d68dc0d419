import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FinishReason, ModelMessage, TextStreamPart, ToolSet } from 'ai';
import { isObject, objects } from '../../../charts/spec/spec.js';
import type { AgentEvent, AgentTool } from '../agent.js';
import type { ModelConnection } from './connect-model.js';
import type { ModelLimits } from './limits.js';
import { ModelProblem, modelProblemOf } from './model-problem.js';
import type { ModelCall } from './tool-calls.js';
import type { TokenCounts } from './turn-state.js';

/** One request to a model. */
interface StepRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** `none` where the model has to answer. */
  readonly toolChoice: 'auto' | 'none';
}

/** How far the answer to one request is: filled while it comes, and looked at when it breaks off. */
export class ModelStep {
  /** Ids of the blocks that were begun. */
  readonly #ids = { text: randomUUID(), thinking: randomUUID() };
  text = '';
  #thinking = 0;
  readonly calls: ModelCall[] = [];
  finishReason: FinishReason = 'other';
  usage: TokenCounts | null = null;
  /** The model says in a way of its own that it won't answer. */
  isRefusal = false;
  /** Whether anything of an answer has come. */
  hasBegun = false;

  /** Id of the text; null as long as there is none. */
  get textId(): string | null {
    return this.text === '' ? null : this.#ids.text;
  }

  /** Takes in a part of the answer; returns what of it can be shown at once. */
  take(part: TextStreamPart<ToolSet>, limits: ModelLimits): AgentEvent | null {
    switch (part.type) {
      case 'text-delta':
        this.text += part.text;
        return this.#piece('text', part.text, limits);
      case 'reasoning-delta':
        this.#thinking += part.text.length;
        return this.#piece('thinking', part.text, limits);
      case 'tool-input-start':
        this.hasBegun = true;
        return null;
      case 'tool-call':
        if (this.calls.length < limits.calls) this.calls.push(callOf(part));
        return null;
      case 'finish-step':
        this.finishReason = part.finishReason;
        this.usage = { ...part.usage, ...cacheTokens(part.usage) };
        return null;
      case 'raw':
        this.isRefusal ||= isRefusal(part.rawValue);
        return null;
      case 'error':
        if (isCallWhereNoneMayBe(part.error)) return null;
        throw modelProblemOf(part.error);
      default:
        return null;
    }
  }

  #piece(type: 'text' | 'thinking', delta: string, { textCharacters }: ModelLimits): AgentEvent | null {
    if (this.text.length + this.#thinking > textCharacters)
      throw new ModelProblem('long', `an answer of the language model was longer than ${textCharacters} characters`);
    if (delta === '') return null;
    this.hasBegun = true;
    return { type, id: this.#ids[type], delta };
  }
}

/**
 * Asks the model once, and tells of text and reasoning as they come.
 * @param step - is filled.
 * @throws ModelProblem where there is no whole answer; when the signal aborts, anything.
 */
async function* askModel(
  { ai, model }: ModelConnection,
  { system, messages, tools, toolChoice }: StepRequest,
  step: ModelStep,
  { signal, limits }: { readonly signal: AbortSignal; readonly limits: ModelLimits },
): AsyncGenerator<AgentEvent, void> {
  const controller = new AbortController();
  const tooSlow = new ModelProblem('slow', 'the language model took too long');
  const giveUp = () => controller.abort(tooSlow);
  const stepTimer = setTimeout(giveUp, limits.stepMs);
  try {
    const told: ToolSet = {};
    for (const [name, { description, parameters }] of tools) {
      told[name] = ai.tool({ description, inputSchema: ai.jsonSchema(parameters) });
    }
    const { fullStream } = ai.streamText({
      model,
      system,
      messages: [...messages],
      tools: told,
      toolChoice,
      // What is sent again, and when, is decided by whoever asked.
      maxRetries: 0,
      includeRawChunks: true,
      abortSignal: AbortSignal.any([signal, controller.signal]),
      // Errors come as parts; by default they are printed, with the request in them.
      onError: () => {},
    });
    const parts = fullStream[Symbol.asyncIterator]();
    for (;;) {
      const silence = setTimeout(giveUp, limits.silenceMs);
      const next = await parts.next().finally(() => clearTimeout(silence));
      if (next.done) break;
      const event = step.take(next.value, limits);
      if (event) yield event;
    }
    signal.throwIfAborted();
    controller.signal.throwIfAborted();
  } catch (error) {
    throw controller.signal.aborted ? tooSlow : modelProblemOf(error);
  } finally {
    clearTimeout(stepTimer);
    // Lets go of the connection where the answer wasn't read to its end.
    controller.abort();
  }
}

function callOf(part: Extract<TextStreamPart<ToolSet>, { type: 'tool-call' }>): ModelCall {
  const signature = Object.values(part.providerMetadata ?? {})
    .map(({ thoughtSignature }) => thoughtSignature)
    .find(value => typeof value === 'string');
  return { name: part.toolName, input: part.input, ...(signature !== undefined && { signature }) };
}

function cacheTokens({ inputTokenDetails }: Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>['usage']) {
  const { cacheReadTokens, cacheWriteTokens } = inputTokenDetails;
  return { cacheReadTokens, cacheWriteTokens };
}

/** The package has left the call out already; what the model says beside it counts. */
function isCallWhereNoneMayBe(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_ToolChoiceViolationError';
}

/** Services say so beside the text, where the package doesn't look. */
function isRefusal(chunk: unknown): boolean {
  const [choice] = isObject(chunk) ? objects(chunk.choices) : [];
  return isObject(choice?.delta) && typeof choice.delta.refusal === 'string' && choice.delta.refusal !== '';
}

/** What goes with the requests of one turn. */
interface RetryOptions {
  readonly signal: AbortSignal;
  readonly limits: ModelLimits;
  /** Hears of every request that is sent. */
  readonly onRequest: () => void;
}

/**
 * Asks the model, and again where it was turned away or cut off for the time being and no text is on the screen yet. Text that was
 * shown stays, as the end of the turn.
 * @throws ModelProblem where there is no whole answer; when the signal aborts, anything.
 */
export async function* askWithRetries(
  connection: ModelConnection,
  request: StepRequest,
  { signal, limits, onRequest }: RetryOptions,
): AsyncGenerator<AgentEvent, ModelStep> {
  for (let retries = 0; ; retries += 1) {
    const step = new ModelStep();
    try {
      onRequest();
      yield* askModel(connection, request, step, { signal, limits });
      return step;
    } catch (error) {
      signal.throwIfAborted();
      const problem = modelProblemOf(error);
      const waitMs = waitBefore(problem, step, retries, limits);
      if (waitMs !== null) {
        await pause(waitMs, undefined, { signal });
        continue;
      }
      if (step.textId !== null) yield { type: 'text-end', id: step.textId, final: true };
      throw problem;
    }
  }
}

/** Milliseconds before the request is sent again; null where it isn't. */
function waitBefore({ kind, retryAfterMs }: ModelProblem, step: ModelStep, retries: number, limits: ModelLimits) {
  const isPassing = kind === 'busy' || kind === 'away' || kind === 'cut';
  const most = step.hasBegun ? Math.min(1, limits.retries) : limits.retries;
  if (!isPassing || step.textId !== null || retries >= most) return null;
  const waitMs = retryAfterMs ?? limits.retryPauseMs * 2 ** retries;
  return waitMs <= limits.retryAfterMs ? waitMs : null;
}
