import { createPluralizer, type MessageTree } from './message-format.js';

const pluralize = createPluralizer('en');

/** English messages that several elements share. */
export const sharedMessages = {
  retry: 'Retry',
  tryAgain: 'Try again',
  details: 'Details',
  code: 'Code',
  request: 'Request',
  cancel: 'Cancel',
  sessionOver: ['Session expired', 'Reload the page or sign in again.'],
  sessionEnded: ['Your session has ended', 'Reload the page or sign in again to continue.'],
  sessionFailed: [
    'The session could not be started',
    'Try again. If the problem persists, contact the owner of this page.',
  ],
  downloadCsv: 'Download CSV',
  copy: 'Copy',
  copied: 'Copied',
  copyRows: 'Copy rows',
  rowsCopied: 'Rows copied',
  copyFailed: 'The browser blocked copying.',
  notShown: (count: number) => pluralize(count, { other: '# not shown' }),
} satisfies MessageTree;

/** Messages that several elements share, in one language. */
export type SharedMessages = typeof sharedMessages;
