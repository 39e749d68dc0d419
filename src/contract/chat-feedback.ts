import * as z from 'zod/mini';
import { ChatThreadParams, chatRatings, MessageId, maxCommentLength } from './chat.js';
import { chatPath } from './chat-terms.js';
import { operation } from './operation.js';
import { optional } from './wire.js';

// Feedback of users on answers. These operations are extensions of the specification.

const common = {
  api: 'chat',
  access: 'authenticated',
  path: `${chatPath}/threads/{chatId}/messages/{messageId}/feedback`,
  params: z.extend(ChatThreadParams, { messageId: MessageId }),
  response: null,
  errors: { 404: 'The user has no such thread, or the thread has no such message.' },
} as const;

/**
 * Stores the user's feedback on the answer to a message, and replaces earlier feedback on it. Without `comment`, an
 * earlier comment is removed.
 */
export const setChatFeedback = operation({
  ...common,
  id: 'setChatFeedback',
  method: 'PUT',
  body: z.strictObject({
    rating: z.enum(chatRatings),
    comment: optional(z.string().check(z.trim(), z.maxLength(maxCommentLength))),
  }),
});

/** Removes the user's feedback on the answer to a message. Also succeeds if there is none. */
export const deleteChatFeedback = operation({ ...common, id: 'deleteChatFeedback', method: 'DELETE' });
