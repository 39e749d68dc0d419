import type { MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

/** English messages of the list of threads. */
export const threadsMessages = {
  threads: 'Conversations',
  newThread: 'New conversation',
  noThreads: 'Your conversations will appear here.',
  threadsFailed: 'The conversations could not be loaded.',
  retry: sharedMessages.retry,
  rename: (title: string) => `Rename “${title}”`,
  newTitle: 'New name',
  remove: (title: string) => `Delete “${title}”`,
  confirmRemove: 'Delete permanently?',
  removeNow: 'Delete',
  keep: 'Keep',
  save: 'Save',
  moreThreads: 'Show more',
  answering: 'answering',
  actionFailed: 'That didn’t work. Try again.',
} satisfies MessageTree;

/** Messages of the list of threads, in one language. */
export type ThreadsMessages = typeof threadsMessages;
