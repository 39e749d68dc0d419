import type { ChatTurn, Conversation } from '../client/chat/conversation.js';

/** The last turn, where all that changed is that its last text grew; null where there is more to draw than that. */
export function grownTurn(before: Conversation, now: Conversation): ChatTurn | null {
  const { turns } = now;
  const last = turns.at(-1);
  const known = before.turns.at(-1);
  if (!last || !known || last === known || before.chatId !== now.chatId) return null;
  if (turns.length !== before.turns.length || turns.at(-2) !== before.turns.at(-2)) return null;
  const isSame =
    last.id === known.id && last.prompt === known.prompt && last.end === known.end && last.usage === known.usage;
  return isSame && isOnlyTailGrown(known, last) ? last : null;
}

function isOnlyTailGrown(known: ChatTurn, last: ChatTurn): boolean {
  const { length } = last.parts;
  if (length === 0 || length !== known.parts.length) return false;
  for (let index = 0; index < length - 1; index += 1) if (last.parts[index] !== known.parts[index]) return false;
  const before = known.parts.at(-1);
  const now = last.parts.at(-1);
  if (before?.type !== 'text' || now?.type !== 'text' || before.id !== now.id) return false;
  return now.isInProcess && before.isInProcess && (before.thinking === '') === (now.thinking === '');
}
