import { createPluralizer, type MessageTree } from './message-format.js';

const pluralize = createPluralizer('en');

/** English messages that several elements have in common. */
export const sharedMessages = {
  retry: 'Retry',
  tryAgain: 'Try again',
  details: 'Details',
  code: 'Code',
  request: 'Request',
  cancel: 'Cancel',
  sessionOver: ['The session is over', 'Reload the page or sign in again.'],
  sessionEnded: ['Your session has ended', 'Reload the page or sign in again to go on.'],
  sessionFailed: ['The session could not be started', 'Try again; if it goes on, tell whoever runs this page.'],
  downloadCsv: 'Download CSV',
  copy: 'Copy',
  copied: 'Copied',
  copyRows: 'Copy rows',
  rowsCopied: 'Rows copied',
  copyFailed: 'The browser did not allow the copy.',
  notShown: (count: number) => pluralize(count, { other: '# not shown' }),
} satisfies MessageTree;

/** Messages that several elements have in common, in one language. */
export type SharedMessages = typeof sharedMessages;
