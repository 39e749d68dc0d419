import { randomUUID } from 'node:crypto';
import { isObject } from '../../../charts/spec/spec.js';
import type { JsonObject } from '../../../contract/wire.js';
import { PlatformError } from '../../errors.js';
import type { AgentContext, AgentEvent } from '../agent.js';
import type { ModelLimits } from './limits.js';
import type { DoneCall, TurnState } from './turn-state.js';

const cut = 'Rows were omitted; totalRows is the number of all rows. Request fewer rows, or group them.';
const none = JSON.stringify({ note: 'The result is too large to return. Request fewer rows or columns.' });

/**
 * Serializes a tool result for the model as JSON of at most `maxLength` characters, or a note if it does not fit. Drops
 * trailing rows to fit, and always omits fields that only the page uses.
 */
export function resultText(result: JsonObject, maxLength: number): string {
  const { vegaSpec: _chart, uuid: _id, ...content } = result;
  const text = JSON.stringify(content);
  if (text.length <= maxLength) return text;
  if (!Array.isArray(content.data)) return none;
  const kept: unknown[] = [];
  let left = maxLength - JSON.stringify({ ...content, data: [], note: cut }).length;
  for (const row of content.data) {
    left -= JSON.stringify(row).length + 1;
    if (left < 0) break;
    kept.push(row);
  }
  return kept.length === 0 ? none : JSON.stringify({ ...content, data: kept, note: cut });
}

/** A tool call as the model requested it. */
export interface ModelCall {
  readonly name: string;
  /** Parsed input; `undefined` if the model sent invalid JSON. */
  readonly input: unknown;
  /** Signature that the model's service expects to receive again with the call. */
  readonly signature?: string;
}

/** Maximum characters of one tool input. */
const maxInputLength = 64 * 1024;

/** Maximum levels of objects and lists in one tool input. */
const maxInputDepth = 100;

/**
 * Runs the tool calls of one turn. Limits their number, concurrency and result size, and reuses the result of identical
 * calls.
 */
export class ToolCalls {
  readonly #context: AgentContext;
  readonly #limits: ModelLimits;
  readonly #onFailure: (error: unknown) => void;
  readonly #results = new Map<string, Promise<JsonObject>>();
  #calls: number;
  #remainingCharacters: number;

  /** @param state - completed calls of an interrupted run, which count toward the limits. */
  constructor(context: AgentContext, limits: ModelLimits, state: TurnState, onFailure: (error: unknown) => void) {
    const before = state.steps.flatMap(({ calls }) => calls);
    this.#context = context;
    this.#limits = limits;
    this.#onFailure = onFailure;
    this.#calls = before.length;
    this.#remainingCharacters = limits.resultCharacters - before.reduce((sum, { output }) => sum + output.length, 0);
  }

  /** Whether the limit on tool calls is reached. */
  get isSpent(): boolean {
    return this.#calls >= this.#limits.calls;
  }

  /**
   * Runs the calls of one step.
   * @throws the tool's error if the signal is aborted. Any other failure is returned as a result.
   */
  async *run(calls: readonly ModelCall[]): AsyncGenerator<AgentEvent, DoneCall[]> {
    const named = calls.map(({ name, input, signature }) => ({
      id: randomUUID().replaceAll('-', '').slice(0, 9),
      name: name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unknown',
      problem: problemWith(input),
      input: isObject(input) ? input : {},
      ...(signature !== undefined && { signature }),
    }));
    for (const { id, name, input, problem } of named) {
      yield { type: 'tool-call', id, name, input: problem === null ? input : {} };
    }
    const done: DoneCall[] = [];
    for (let next = 0; next < named.length; next += this.#limits.callsAtOnce) {
      const batch = named.slice(next, next + this.#limits.callsAtOnce);
      const results = await Promise.all(batch.map(call => this.#result(call)));
      for (const [index, { problem, input, ...call }] of batch.entries()) {
        const result = results[index] ?? {};
        yield { type: 'tool-result', id: call.id, result };
        done.push({ ...call, input: problem === null ? input : {}, output: this.#content(result) });
      }
    }
    return done;
  }

  #content(result: JsonObject): string {
    const text = resultText(result, this.#remainingCharacters);
    this.#remainingCharacters -= text.length;
    return text;
  }

  #result({ name, input, problem }: { name: string; input: JsonObject; problem: string | null }): Promise<JsonObject> {
    const tool = this.#context.tools.get(name);
    if (!tool) return rejectCall(`Unknown tool ${name}. Use ${[...this.#context.tools.keys()].join(' or ')}.`);
    if (problem !== null) return rejectCall(problem);
    const key = JSON.stringify([name, input]);
    const known = this.#results.get(key);
    if (known) return known;
    if (this.isSpent) return rejectCall('No more tools can be called in this turn. Answer from the results so far.');
    this.#calls += 1;
    const result = this.#run(() => tool.run(input, { signal: this.#context.signal }));
    this.#results.set(key, result);
    return result;
  }

  async #run(call: () => Promise<JsonObject>): Promise<JsonObject> {
    try {
      return await call();
    } catch (error) {
      if (this.#context.signal.aborted) throw error;
      if (error instanceof PlatformError) return { error: error.message };
      this.#onFailure(error);
      return { error: 'The tool failed.' };
    }
  }
}

function rejectCall(error: string): Promise<JsonObject> {
  return Promise.resolve({ error });
}

function problemWith(input: unknown): string | null {
  if (!isObject(input)) return 'The arguments must be a JSON object.';
  if (isNestedDeeper(input, maxInputDepth)) return 'The arguments are nested too deeply.';
  return JSON.stringify(input).length <= maxInputLength ? null : 'The arguments are too long.';
}

/**
 * Whether a JSON value has more than `levels` levels of nesting. Copying a deeply nested value overflows the stack, at
 * a depth that depends on the Node release.
 */
function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some(each => isNestedDeeper(each, levels - 1));
}
