import * as z from 'zod/mini';
import type { ChatUsage } from '../../../contract/chat.js';
import { JsonObject } from '../../../contract/wire.js';
import { type AgentTurn, noUsage } from '../agent.js';

const DoneCall = z.object({
  /** Nine letters and digits, because some services accept only ids of this form. */
  id: z.string(),
  name: z.string(),
  input: JsonObject,
  /** Result as the JSON that was sent to the model. */
  output: z.string(),
  /** Signature that the model's service expects to receive again with the call. */
  signature: z.optional(z.string()),
});
/** A completed tool call as included in later requests. */
export type DoneCall = z.infer<typeof DoneCall>;

const count = z.int().check(z.gte(0));
const TurnState = z.object({
  version: z.literal(1),
  steps: z.array(z.object({ text: z.string(), calls: z.array(DoneCall) })),
  usage: z.object({
    llmCalls: count,
    inputTokens: count,
    outputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    totalTokens: count,
  }),
});
/** Progress of a turn, from which another process can resume it. */
export type TurnState = z.infer<typeof TurnState>;

/**
 * Restores the state of a resumed turn. Returns an empty state for a new turn or if the stored state has another
 * version.
 */
export function readTurnState(resumeFrom: AgentTurn['resumeFrom']): TurnState {
  const read = z.safeParse(TurnState, resumeFrom);
  return read.success ? read.data : { version: 1, steps: [], usage: zeroUsage() };
}

/** Returns usage counters of zero, without the names of models, which `usageOf` adds. */
function zeroUsage(): TurnState['usage'] {
  const { models: _, ...counts } = noUsage;
  return counts;
}

/** Token counts reported by a service: unvalidated and optional. */
export type TokenCounts = { readonly [K in Exclude<keyof TurnState['usage'], 'llmCalls'>]: number | undefined };

/** Adds the usage of one step. */
export function addUsage(usage: TurnState['usage'], step: TokenCounts): void {
  for (const key of ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'totalTokens'] as const) {
    const tokens = Math.trunc(step[key] ?? 0);
    if (tokens > 0 && tokens < 1e9) usage[key] += tokens;
  }
}

/** Returns the usage of the turn so far. */
export function usageOf({ usage }: TurnState, model: string): ChatUsage {
  return { models: [model], ...usage };
}
