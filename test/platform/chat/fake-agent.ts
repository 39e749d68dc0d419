import type { Agent, AgentContext, AgentEvent, AgentTurn } from '../../../src/platform/agent/agent.js';

/** Output of a fake agent for one turn. */
export type Script = (turn: AgentTurn, context: AgentContext) => AsyncIterable<AgentEvent>;

/** Usage of one call. */
export const oneCall = {
  models: ['fake'],
  llmCalls: 1,
  inputTokens: 3,
  outputTokens: 4,
  cacheWriteTokens: 0,
  cacheReadTokens: 0,
  totalTokens: 7,
};

/** A scripted agent that records its turns. */
export class FakeAgent implements Agent {
  script: Script = answer;
  /** Turns and abort signals of the runs, in order. */
  readonly turns: AgentTurn[] = [];
  readonly signals: AbortSignal[] = [];

  run(turn: AgentTurn, context: AgentContext): AsyncIterable<AgentEvent> {
    this.turns.push(turn);
    this.signals.push(context.signal);
    return this.script(turn, context);
  }

  async suggestions(_data: unknown, locale: string): Promise<readonly string[]> {
    return [`What is new? (${locale})`];
  }
}

/** Creates a gate that a script waits for until a test opens it. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open };
}

/** Yields text in chunks. */
export function* text(id: string, pieces: readonly string[], final = true): Generator<AgentEvent> {
  for (const delta of pieces) yield { type: 'text', id, delta };
  yield { type: 'text-end', id, final };
}

/** Yields a tool call with its result. */
export function* call(id: string, input: unknown = { q: id }): Generator<AgentEvent> {
  yield { type: 'tool-call', id, name: 'dataQuery', input };
  yield { type: 'tool-result', id, result: { rows: id } };
}

/** Yields reasoning, a tool call, a step, and an answer that quotes the input. */
export async function* answer(turn: AgentTurn): AsyncGenerator<AgentEvent> {
  yield { type: 'thinking', id: 'r1', delta: 'Hm' };
  yield* text('r1', ['Let me ', 'look.'], false);
  yield* call('c1');
  yield { type: 'usage', usage: oneCall };
  yield { type: 'step', state: { done: 1 } };
  yield* text('t1', ['You said ', turn.input, '.']);
  yield { type: 'finish', reason: 'stop' };
}
