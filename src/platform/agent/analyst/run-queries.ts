import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { ToolName } from '../../../contract/chat.js';
import { JsonObject } from '../../../contract/wire.js';
import { PlatformError } from '../../errors.js';
import type { AgentContext, AgentEvent } from '../agent.js';

/** State of a completed step: its tool calls and their results. */
const StepState = z.object({ calls: z.array(z.object({ input: JsonObject, result: JsonObject })) });

interface RunOptions {
  readonly context: AgentContext;
  /** State of an interrupted run. Queries with equal inputs use its results instead of running again. */
  readonly resumeFrom: JsonObject | null;
  /**
   * Adds values that depend on all results. If set, all results are sent together; otherwise each is sent when its
   * query ends.
   */
  readonly complete: ((results: readonly JsonObject[]) => readonly JsonObject[]) | null;
  /** Adds the information that the page needs about the result of a query. */
  readonly annotate: (result: JsonObject, index: number) => JsonObject;
}

/**
 * Runs queries as calls to the `dataQuery` tool. Returns their results up to the first error, or until the run is
 * aborted.
 */
export async function* runQueries(
  inputs: readonly JsonObject[],
  { context, resumeFrom, complete, annotate }: RunOptions,
): AsyncGenerator<AgentEvent, readonly JsonObject[]> {
  const done = callsBefore(resumeFrom);
  const calls: { input: JsonObject; result: JsonObject }[] = [];
  for (const step of complete ? [inputs] : inputs.map(input => [input])) {
    const start = calls.length;
    const kept = done.slice(start, start + step.length);
    // If the model or the date has changed since the interruption, the inputs differ and its results do not apply.
    const isKept = isDeepStrictEqual(
      kept.map(({ input }) => input),
      step,
    );
    const results = isKept ? kept.map(({ result }) => result) : yield* runStep(step, start, context);
    if (context.signal.aborted) break;
    const whole = isKept || !complete ? results : complete(results);
    const sent = whole.map((result, index) => (isKept || isFailed(result) ? result : annotate(result, start + index)));
    calls.push(...step.flatMap((input, index) => (sent[index] ? [{ input, result: sent[index] }] : [])));
    if (!isKept) {
      for (const [index, result] of sent.entries()) yield { type: 'tool-result', id: callId(start + index), result };
      yield { type: 'step', state: { calls: [...calls] } };
    }
    if (sent.some(isFailed)) break;
  }
  return calls.map(({ result }) => result);
}

/** Runs the queries of a step until one fails. */
async function* runStep(
  inputs: readonly JsonObject[],
  start: number,
  context: AgentContext,
): AsyncGenerator<AgentEvent, readonly JsonObject[]> {
  const results: JsonObject[] = [];
  for (const [index, input] of inputs.entries()) {
    yield { type: 'tool-call', id: callId(start + index), name: ToolName.dataQuery, input };
    const result = await callTool(context, ToolName.dataQuery, input);
    results.push(result);
    if (context.signal.aborted || isFailed(result)) break;
  }
  return results;
}

/** Calls a tool. Returns `{error}` if it fails. */
export async function callTool({ tools, signal }: AgentContext, name: string, input: JsonObject): Promise<JsonObject> {
  const tool = tools.get(name);
  if (tool === undefined) return { error: `The tool ${name} is not available.` };
  try {
    return await tool.run(input, { signal });
  } catch (error) {
    return { error: error instanceof PlatformError ? error.message : 'The query failed because of an internal error.' };
  }
}

function callId(index: number): string {
  return `query-${index + 1}`;
}

function isFailed(result: JsonObject): boolean {
  return typeof result.error === 'string';
}

function callsBefore(state: JsonObject | null): z.infer<typeof StepState>['calls'] {
  const parsed = StepState.safeParse(state);
  return parsed.success ? parsed.data.calls : [];
}
