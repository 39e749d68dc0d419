import { randomUUID } from 'node:crypto';
import type { FinishReason, ModelMessage, TextStreamPart, ToolSet } from 'ai';
import { isObject, objects } from '../../../charts/spec/spec.js';
import { backOff, pause } from '../../runtime/retry.js';
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
  /** `none` if the model must answer without tool calls. */
  readonly toolChoice: 'auto' | 'none';
}

/** State of the response to one request. Filled while streaming, and still readable after an interruption. */
export class ModelStep {
  /** Ids of the text and thinking blocks. */
  readonly #ids = { text: randomUUID(), thinking: randomUUID() };
  text = '';
  #thinking = 0;
  readonly calls: ModelCall[] = [];
  finishReason: FinishReason = 'other';
  usage: TokenCounts | null = null;
  /** Whether the model refused to answer, as reported by the service. */
  isRefusal = false;
  /** Whether any part of the response was received. */
  hasBegun = false;

  /** Id of the text block; `null` if none was received. */
  get textId(): string | null {
    return this.text === '' ? null : this.#ids.text;
  }

  /** Consumes one part of the response. Returns an event if the part can be shown immediately. */
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
        if (isUnexpectedToolCall(part.error)) return null;
        throw modelProblemOf(part.error);
      default:
        return null;
    }
  }

  #piece(type: 'text' | 'thinking', delta: string, { textCharacters }: ModelLimits): AgentEvent | null {
    if (this.text.length + this.#thinking > textCharacters)
      throw new ModelProblem('long', `a response of the language model exceeded ${textCharacters} characters`);
    if (delta === '') return null;
    this.hasBegun = true;
    return { type, id: this.#ids[type], delta };
  }
}

/**
 * Sends one request to the model and streams its text and reasoning.
 * @param step - collects the response.
 * @throws ModelProblem if the response is incomplete. If the signal is aborted, throws any error.
 */
async function* askModel(
  { ai, model }: ModelConnection,
  { system, messages, tools, toolChoice }: StepRequest,
  step: ModelStep,
  { signal, limits }: { readonly signal: AbortSignal; readonly limits: ModelLimits },
): AsyncGenerator<AgentEvent, void> {
  const controller = new AbortController();
  const tooSlow = new ModelProblem('slow', 'the language model took too long to respond');
  const onTimeout = () => controller.abort(tooSlow);
  const stepTimer = setTimeout(onTimeout, limits.stepMs);
  try {
    const described: ToolSet = {};
    for (const [name, { description, parameters }] of tools) {
      described[name] = ai.tool({ description, inputSchema: ai.jsonSchema(parameters) });
    }
    const { fullStream } = ai.streamText({
      model,
      system,
      messages: [...messages],
      tools: described,
      toolChoice,
      // `askWithRetries` decides about retries.
      maxRetries: 0,
      includeRawChunks: true,
      abortSignal: AbortSignal.any([signal, controller.signal]),
      // Errors arrive as parts. By default, the SDK also prints them, including the request.
      onError: () => {},
    });
    const parts = fullStream[Symbol.asyncIterator]();
    for (;;) {
      const silence = setTimeout(onTimeout, limits.silenceMs);
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
    // Close the connection if the response was not read completely.
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

/**
 * Whether the SDK dropped a tool call that violates `toolChoice: 'none'`. If so, the text of the same response is still
 * used.
 */
function isUnexpectedToolCall(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_ToolChoiceViolationError';
}

/** Whether a chunk contains a refusal. Services report it in `delta.refusal`, which the SDK ignores. */
function isRefusal(chunk: unknown): boolean {
  const [choice] = isObject(chunk) ? objects(chunk.choices) : [];
  return isObject(choice?.delta) && typeof choice.delta.refusal === 'string' && choice.delta.refusal !== '';
}

/** Options for the requests of one turn. */
interface RetryOptions {
  readonly signal: AbortSignal;
  readonly limits: ModelLimits;
  /** Called for each request that is sent, including retries. */
  readonly onRequest: () => void;
}

/**
 * Sends a request and retries temporary failures as long as no text was shown. A failure after the first text ends the
 * turn.
 * @throws ModelProblem if the response is incomplete. If the signal is aborted, throws any error.
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
        await pause(waitMs, { signal });
        signal.throwIfAborted();
        continue;
      }
      if (step.textId !== null) yield { type: 'text-end', id: step.textId, final: true };
      throw problem;
    }
  }
}

/** Returns the delay in milliseconds before the next retry, or `null` if the request is not retried. */
function waitBefore({ kind, retryAfterMs }: ModelProblem, step: ModelStep, retries: number, limits: ModelLimits) {
  const isPassing = kind === 'busy' || kind === 'away' || kind === 'cut';
  const maxRetries = step.hasBegun ? Math.min(1, limits.retries) : limits.retries;
  if (!isPassing || step.textId !== null || retries >= maxRetries) return null;
  const waitMs = retryAfterMs ?? backOff(retries + 1, limits.retryPauseMs, Number.POSITIVE_INFINITY);
  return waitMs <= limits.retryAfterMs ? waitMs : null;
}
