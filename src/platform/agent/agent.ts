import type { ChatImage, ChatUsage } from '../../contract/chat.js';
import type { JsonObject } from '../../contract/wire.js';
import type { CallerData } from '../data/caller-data.js';

/** A turn that has ended, as an agent remembers it. */
export interface PastTurn {
  readonly input: string;
  /** Text of the answer. */
  readonly answer: string;
  /** Tools that were called, in order, with what came of them. */
  readonly calls: readonly PastCall[];
}

/** A call of a tool that has ended. */
export interface PastCall {
  readonly name: string;
  readonly input: unknown;
  readonly result: unknown;
}

/** What an agent is asked. */
export interface AgentTurn {
  /** Earlier turns of the thread, oldest first, as many as a prompt may hold. */
  readonly history: readonly PastTurn[];
  readonly input: string;
  readonly images: readonly ChatImage[];
  readonly now: Date;
  /** IANA name of the caller's time zone. */
  readonly timezone: string;
  /** BCP 47 tag of the caller's language. */
  readonly locale: string;
  /** What the last `step` of this turn said, where a run goes on that was broken off after it; null at the beginning. */
  readonly resumeFrom: JsonObject | null;
}

/** A tool bound to one caller: it can see what the caller may see, and change nothing. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: JsonObject;
  /**
   * Runs once.
   * @param input - as the model wrote it: anything.
   * @throws PlatformError whose message may be told to the model and the caller; anything else is told as "failed".
   */
  run(input: unknown, options: { readonly signal: AbortSignal }): Promise<JsonObject>;
}

/** What an agent works with, all of it in the caller's own name. */
export interface AgentContext {
  readonly data: CallerData;
  /** By name, in the order in which a model is told of them. */
  readonly tools: ReadonlyMap<string, AgentTool>;
  readonly signal: AbortSignal;
}

/** What an agent does, as it does it. Ids are the agent's own, unique within the turn. */
export type AgentEvent =
  /** A piece of reasoning or of text. */
  | { readonly type: 'thinking' | 'text'; readonly id: string; readonly delta: string }
  /** The text is whole; `final` is the answer, other texts stand between steps. */
  | { readonly type: 'text-end'; readonly id: string; readonly final: boolean }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly input: unknown }
  /** `result` is `{error}` where the tool failed. */
  | { readonly type: 'tool-result'; readonly id: string; readonly result: JsonObject }
  /** A step is done: from here the turn can go on later, in another process, with `state` as `resumeFrom`. */
  | { readonly type: 'step'; readonly state: JsonObject }
  /** What the turn has taken so far, with what `resumeFrom` knows of before; the last one counts. */
  | { readonly type: 'usage'; readonly usage: ChatUsage }
  /** The last event. `message` says why, for the caller's eyes, unless the answer is whole. */
  | { readonly type: 'finish'; readonly reason: 'stop' | 'length' | 'failed'; readonly message?: string };

/** What answers in a chat. */
export interface Agent {
  /**
   * Answers one turn. Ends after `finish`; ends early, in silence, when the signal is aborted. Whatever it throws is a failure of the
   * service.
   */
  run(turn: AgentTurn, context: AgentContext): AsyncIterable<AgentEvent>;
  /** Questions that suit what this caller may see, in the caller's language where there are words for it; 6 at most. */
  suggestions(data: CallerData, locale: string): Promise<readonly string[]>;
}

/** What an answer takes that asks no language model, or has not begun. */
export const noUsage: ChatUsage = {
  models: [],
  llmCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheWriteTokens: 0,
  cacheReadTokens: 0,
  totalTokens: 0,
};
