import type { MessageTree } from '../../messages/message-format.js';

/** English messages of HTML reports. */
export const htmlMessages = {
  firstRows: (shown: string, total: string) => `First ${shown} of ${total} rows`,
  /** Shown if part of the report exceeds the size limits. */
  tooMuch: 'Some content is omitted because the report is too large.',
} satisfies MessageTree;

/** Messages of HTML reports, in one language. */
export type HtmlMessages = typeof htmlMessages;
