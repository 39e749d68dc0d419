import * as z from 'zod/mini';
import { maxReplies, maxReplyLength, ToolName } from '../../../contract/chat.js';
import type { AgentTool } from '../agent.js';
import { readInput } from './tool-input.js';

const Input = z.strictObject({
  replies: z
    .array(z.string().check(z.minLength(1), z.maxLength(maxReplyLength)))
    .check(z.minLength(1), z.maxLength(maxReplies)),
});

/**
 * Creates the tool that offers replies to the user, such as the meanings of an ambiguous word. The tool reads no data.
 */
export function createSuggestReplies(): AgentTool {
  return {
    name: ToolName.suggestReplies,
    description:
      'Shows up to 6 replies as buttons below your answer. Selecting a button sends its text as the next message of the user. Use it only to offer possible answers to your question.',
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
