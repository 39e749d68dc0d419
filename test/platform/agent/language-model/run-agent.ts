import { vi } from 'vitest';
import type { Agent, AgentEvent, AgentTool, AgentTurn } from '../../../../src/platform/agent/agent.js';
import { createModelAgent, type ModelAgentOptions } from '../../../../src/platform/agent/language-model/model-agent.js';
import { PlatformError } from '../../../../src/platform/errors.js';
import { fakeData } from '../tools/fake-data.js';
import { type LlmReply, type LlmRequest, startLlm } from './fake-llm.js';

/** API key of all agents in these tests. Events and errors must not contain it. */
export const secret = 'sk-very-secret';

/** Default values of a turn: a question without history. */
export const question: AgentTurn = {
  history: [],
  input: 'How many orders?',
  images: [],
  now: new Date('2024-05-06T22:30:00Z'),
  timezone: 'Europe/Rome',
  locale: 'en',
  resumeFrom: null,
};

/** Creates a tool that returns its input or fails. */
export function echoTool(name = 'echo') {
  const run = vi.fn<AgentTool['run']>(async input => {
    if (input && typeof input === 'object' && 'fail' in input) {
      throw input.fail === 'known' ? new PlatformError(400, 'unknown member x.y') : new TypeError('secret detail');
    }
    return { echoed: input };
  });
  const tool: AgentTool = { name, description: 'Answers what it is asked.', parameters: { type: 'object' }, run };
  return { tool, run };
}

/** Options for running a turn. */
export interface RunOptions {
  readonly turn?: Partial<AgentTurn>;
  readonly tools?: readonly AgentTool[];
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: AgentEvent) => void;
}

/** Runs a turn to completion. */
export async function runTurn(
  agent: Agent,
  { turn, tools = [], signal, onEvent }: RunOptions = {},
): Promise<AgentEvent[]> {
  const context = {
    data: fakeData().data,
    tools: new Map(tools.map(tool => [tool.name, tool])),
    signal: signal ?? new AbortController().signal,
  };
  const events: AgentEvent[] = [];
  for await (const event of agent.run({ ...question, ...turn }, context)) {
    events.push(event);
    onEvent?.(event);
  }
  return events;
}

/** Starts an agent with a fake service and short retry delays. */
export async function startAgent(
  replies: readonly (LlmReply | ((request: LlmRequest) => LlmReply))[],
  options: Partial<ModelAgentOptions> = {},
) {
  const llm = await startLlm(...replies);
  const failures: unknown[] = [];
  const agent = createModelAgent({
    baseUrl: llm.baseUrl,
    apiKey: secret,
    model: 'test-model',
    onFailure: error => failures.push(error),
    ...options,
    limits: { retryPauseMs: 1, ...options.limits },
  });
  return { llm, agent, failures };
}

/** Returns the text of each block and whether it is the answer. */
export function textsOf(events: readonly AgentEvent[]): { text: string; final: boolean | null }[] {
  const blocks = new Map<string, { text: string; final: boolean | null }>();
  for (const event of events) {
    if (event.type === 'text') {
      const block = blocks.get(event.id) ?? { text: '', final: null };
      blocks.set(event.id, { ...block, text: block.text + event.delta });
    } else if (event.type === 'text-end')
      blocks.set(event.id, { text: '', ...blocks.get(event.id), final: event.final });
  }
  return [...blocks.values()];
}

/** Returns the events of one type. */
export function only<T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}
