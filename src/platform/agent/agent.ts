import type { ChatImage, ChatUsage } from '../../contract/chat.js';
import type { JsonObject } from '../../contract/wire.js';
import type { SettableControl } from '../../report/controls/propose-controls.js';
import type { CallerData } from '../data/caller-data.js';

/** A completed turn in an agent's history. */
export interface PastTurn {
  readonly input: string;
  /** Text of the answer. */
  readonly answer: string;
  /** Completed tool calls with their results, in call order. */
  readonly calls: readonly PastCall[];
}

/** A completed tool call. */
export interface PastCall {
  readonly name: string;
  readonly input: unknown;
  readonly result: unknown;
}

/** A tile of a dashboard that shows a report. */
export interface AgentTile {
  readonly widgetId: string;
  readonly title: string;
  readonly description: string;
  /** The published query with the current values of the controls; `null` if the report has none. */
  readonly query: JsonObject | null;
}

/** The dashboard that a message is about, with its current state for the viewer. */
export interface AgentDashboard {
  readonly publicId: string;
  readonly title: string;
  /** Controls that the agent can set. */
  readonly controls: readonly SettableControl[];
  readonly tiles: readonly AgentTile[];
  /** Widget ids of the tiles that the message is about. Empty if it is about the whole dashboard. */
  readonly selected: readonly string[];
}

/** Input of one agent run. */
export interface AgentTurn {
  /** Earlier turns of the thread, oldest first, limited to the turns that fit in a prompt. */
  readonly history: readonly PastTurn[];
  readonly input: string;
  readonly images: readonly ChatImage[];
  /** The dashboard that the message is about, if any. */
  readonly dashboard?: AgentDashboard | null;
  readonly now: Date;
  /** IANA name of the caller's time zone. */
  readonly timezone: string;
  /** BCP 47 tag of the caller's language. */
  readonly locale: string;
  /** Instructions of the agent for a language model, in addition to those of the platform. */
  readonly instructions?: string;
  /** Language model of the agent; the platform's by default. */
  readonly model?: string;
  /** State of the last `step` event of an interrupted run, which resumes after that step; `null` for a new run. */
  readonly resumeFrom: JsonObject | null;
}

/** A read-only tool bound to one caller. It sees only the data that the caller may see. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: JsonObject;
  /** Name of the service that runs the tool, if it is not the platform. Its results are untrusted text. */
  readonly service?: string;
  /**
   * Runs the tool once.
   * @param input - the unvalidated input from the model.
   * @throws PlatformError with a message that is safe for the model and the caller. Any other error is reported without
   * details.
   */
  run(input: unknown, options: { readonly signal: AbortSignal }): Promise<JsonObject>;
}

/** Resources that an agent uses with the caller's permissions. */
export interface AgentContext {
  readonly data: CallerData;
  /** Tools by name, in the order in which they are presented to a model. */
  readonly tools: ReadonlyMap<string, AgentTool>;
  readonly signal: AbortSignal;
}

/** Progress events of an agent run. Ids are assigned by the agent and unique within the turn. */
export type AgentEvent =
  /** A chunk of reasoning or text. */
  | { readonly type: 'thinking' | 'text'; readonly id: string; readonly delta: string }
  /** The text block is complete. `final` marks the answer; other blocks are intermediate output between steps. */
  | { readonly type: 'text-end'; readonly id: string; readonly final: boolean }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly input: unknown }
  /** `result` is `{error}` if the tool failed. */
  | { readonly type: 'tool-result'; readonly id: string; readonly result: JsonObject }
  /** A step is complete. Another process can resume the turn from here by passing `state` as `resumeFrom`. */
  | { readonly type: 'step'; readonly state: JsonObject }
  /** Cumulative usage of the turn, including usage from before `resumeFrom`. The last event is authoritative. */
  | { readonly type: 'usage'; readonly usage: ChatUsage }
  /**
   * The last event. If the answer is incomplete, `message` states the reason and is safe to show to the caller.
   */
  | { readonly type: 'finish'; readonly reason: 'stop' | 'length' | 'failed'; readonly message?: string };

/** Generates the answers in a chat. */
export interface Agent {
  /**
   * Answers one turn. Ends after `finish`, or without further events when the signal is aborted. Throws only if the
   * service itself fails.
   */
  run(turn: AgentTurn, context: AgentContext): AsyncIterable<AgentEvent>;
  /**
   * Returns up to 6 suggested questions about data that this caller may see, in the caller's language if it is
   * supported.
   */
  suggestions(data: CallerData, locale: string): Promise<readonly string[]>;
}

/** Usage of an answer that made no language model requests. */
export const noUsage: ChatUsage = {
  models: [],
  llmCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheWriteTokens: 0,
  cacheReadTokens: 0,
  totalTokens: 0,
};
