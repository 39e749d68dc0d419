import type { MessageTree } from '../../messages/message-format.js';

/** English messages for pinning an answer. */
export const pinMessages = {
  pin: 'Pin to dashboard',
  /** Label of the list of widgets. */
  choose: 'Where to pin the answer',
  pinTo: (title: string) => `Pin to “${title}”`,
  replace: (title: string) => `Replace the answer in “${title}”`,
  pinned: (title: string) => `Pinned to “${title}”. Each viewer sees the answer with their own data.`,
  undo: 'Undo',
  undone: 'The answer is no longer pinned.',
  failed: 'The dashboard could not be changed. Try again in a moment.',
  changed: 'The dashboard or the conversation has changed since this page was loaded. Reload the page, then try again.',
} satisfies MessageTree;

/** Messages for pinning an answer, in one language. */
export type PinMessages = typeof pinMessages;
