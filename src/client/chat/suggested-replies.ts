import { maxReplies, maxReplyLength, ToolName } from '../../contract/chat-terms.js';
import { isRecord } from '../http/fetch.js';
import type { ChatStep, ChatTurn } from './conversation.js';

/** Whether a step only offers replies, which are shown below the answer instead of the step. */
export function offersReplies({ name, status }: Pick<ChatStep, 'name' | 'status'>): boolean {
  return name === ToolName.suggestReplies && status !== 'failed';
}

/** Returns the replies that a turn offers, in the last step that offers some. */
export function suggestedReplies({ parts }: Pick<ChatTurn, 'parts'>): readonly string[] {
  const step = parts.findLast(part => part.type === 'step' && part.status === 'done' && offersReplies(part));
  const result = step?.type === 'step' ? step.result : null;
  if (!isRecord(result) || !Array.isArray(result.replies)) return [];
  const replies = result.replies.filter(reply => typeof reply === 'string' && reply.trim() !== '');
  return replies.slice(0, maxReplies).map((reply: string) => reply.slice(0, maxReplyLength));
}
