import type { MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

/** English messages of the comment on an answer. */
export const commentMessages = {
  label: 'Comment on the answer',
  audience: 'Administrators see it with your rating and question.',
  save: 'Save',
  cancel: sharedMessages.cancel,
} satisfies MessageTree;

/** Messages of the comment on an answer, in one language. */
export type CommentMessages = typeof commentMessages;
