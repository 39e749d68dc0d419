import { vi } from 'vitest';
import type { Agent, AgentEvent, AgentTool, AgentTurn } from '../../../../src/platform/agent/agent.js';
import { createModelAgent, type ModelAgentOptions } from '../../../../src/platform/agent/language-model/model-agent.js';
import { PlatformError } from '../../../../src/platform/errors.js';
import { fakeData } from '../tools/fake-data.js';
import { type LlmReply, type LlmRequest, startLlm } from './fake-llm.js';

/** The key of every agent here; it must be seen in no event and no error. */
export const secret = 'sk-very-secret';

/** A turn that asks something, where a test says nothing else. */
export const question: AgentTurn = {
  history: [],
  input: 'How many orders?',
  images: [],
  now: new Date('2024-05-06T22:30:00Z'),
  timezone: 'Europe/Rome',
  locale: 'en',
  resumeFrom: null,
};

/** A tool that answers what it was asked, or fails. */
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

/** How a test wants a turn to be run. */
export interface RunOptions {
  readonly turn?: Partial<AgentTurn>;
  readonly tools?: readonly AgentTool[];
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: AgentEvent) => void;
}

/** Runs a turn to its end. */
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

/** An agent over a fake service, with waits cut short. */
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

/** The texts of a turn, by block: what was said, and whether it is the answer. */
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

/** The events of one kind. */
export function only<T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}
