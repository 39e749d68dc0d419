import * as z from 'zod/mini';
import type { ChatUsage } from '../../../contract/chat.js';
import { JsonObject } from '../../../contract/wire.js';
import { type AgentTurn, noUsage } from '../agent.js';

const DoneCall = z.object({
  /** Nine letters and digits: there are services that take no other ids. */
  id: z.string(),
  name: z.string(),
  input: JsonObject,
  /** JSON as the model is told of it. */
  output: z.string(),
  /** What the model's service wants to see again beside the call. */
  signature: z.optional(z.string()),
});
/** A call of a tool that has ended, as the model is reminded of it. */
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
/** How far a turn is: with it, it goes on in another process. */
export type TurnState = z.infer<typeof TurnState>;

/** The state of a turn that goes on, or of one that begins: also where what was kept is of another version. */
export function readTurnState(resumeFrom: AgentTurn['resumeFrom']): TurnState {
  const read = z.safeParse(TurnState, resumeFrom);
  return read.success ? read.data : { version: 1, steps: [], usage: nothingUsed() };
}

/** Without the names of models, which are told at the end. */
function nothingUsed(): TurnState['usage'] {
  const { models: _, ...counts } = noUsage;
  return counts;
}

/** Tokens as a service counts them: any numbers, or none. */
export type TokenCounts = { readonly [K in Exclude<keyof TurnState['usage'], 'llmCalls'>]: number | undefined };

/** Adds what one step has taken. */
export function addUsage(usage: TurnState['usage'], step: TokenCounts): void {
  for (const key of ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'totalTokens'] as const) {
    const tokens = Math.trunc(step[key] ?? 0);
    if (tokens > 0 && tokens < 1e9) usage[key] += tokens;
  }
}

/** What the turn has taken so far. */
export function usageOf({ usage }: TurnState, model: string): ChatUsage {
  return { models: [model], ...usage };
}
