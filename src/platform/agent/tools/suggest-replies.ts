import * as z from 'zod/mini';
import { maxReplies, maxReplyLength, ToolName } from '../../../contract/chat.js';
import type { AgentTool } from '../agent.js';
import { readInput } from './tool-input.js';

const Input = z.strictObject({
  replies: z
    .array(z.string().check(z.minLength(1), z.maxLength(maxReplyLength)))
    .check(z.minLength(1), z.maxLength(maxReplies)),
});

/** Creates the tool that offers replies to the user, such as the meanings of an ambiguous word. It reads no data. */
export function createSuggestReplies(): AgentTool {
  return {
    name: ToolName.suggestReplies,
    description:
      'Offers replies to the user as buttons below your answer, each a complete message in the words of the user. Use it only if you ask a question with few answers.',
    parameters: {
      type: 'object',
      properties: {
        replies: { type: 'array', items: { type: 'string', maxLength: maxReplyLength }, maxItems: maxReplies },
      },
      required: ['replies'],
      additionalProperties: false,
    },
    run: input => Promise.resolve().then(() => ({ replies: [...readInput(Input, input).replies] })),
  };
}
