import { type ChatFrame, GraphNode } from '../../contract/chat.js';
import type { PastCall, PastTurn } from '../agent/agent.js';
import type { Db } from '../db/database.js';
import type { ChatLimits } from './chat-limits.js';
import { readTurns } from './message-store.js';
import type { StoredTurn } from './turn-store.js';

const pageSize = 5;

/**
 * Loads the latest turns of a thread before the given one that fit the limits of an agent's input, oldest first. Omits
 * tool calls that do not fit, so that the text of more turns fits.
 */
export async function loadHistory(
  db: Db,
  turn: Pick<StoredTurn, 'ownerKey' | 'threadId' | 'number'>,
  limits: ChatLimits,
): Promise<readonly PastTurn[]> {
  const past: PastTurn[] = [];
  let remainingCharacters = limits.historyCharacters;
  let before = turn.number;
  while (before > 1 && past.length < limits.historyTurns) {
    const page = await readTurns(db, turn, { before }, Math.min(pageSize, limits.historyTurns - past.length));
    for (const answered of page) {
      const frames = answered.messages.map(({ frame }) => frame);
      const { input, answer, calls } = pastTurn(answered.turn.input, frames);
      remainingCharacters -= input.length + answer.length;
      if (remainingCharacters < 0) return past.reverse();
      const included = calls.filter(call => {
        const size = JSON.stringify(call).length;
        if (size > remainingCharacters) return false;
        remainingCharacters -= size;
        return true;
      });
      past.push({ input, answer, calls: included });
      before = answered.turn.number;
    }
    if (page.length === 0) break;
  }
  return past.reverse();
}

/** Returns a past turn as an agent receives it. */
export function pastTurn(input: string, frames: readonly ChatFrame[]): PastTurn {
  const texts = frames.filter(({ role, toolCall }) => role === 'assistant' && !toolCall);
  const final = texts.findLast(({ graphPath }) => graphPath?.[0] === GraphNode.final) ?? texts.at(-1);
  return { input, answer: final?.content ?? '', calls: frames.flatMap(pastCall) };
}

function pastCall({ toolCall }: ChatFrame): PastCall[] {
  if (toolCall?.result === undefined) return [];
  const { name, input = 'null', result } = toolCall;
  return [{ name, input: JSON.parse(input), result: JSON.parse(result) }];
}
