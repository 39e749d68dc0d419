import type { MessageTree } from '../../messages/message-format.js';

/** English messages of reports in HTML. */
export const htmlMessages = {
  firstRows: (shown: string, total: string) => `First ${shown} of ${total} rows`,
  /** Of what is left out because there is too much of it. */
  tooMuch: 'Part of this is left out: there is too much of it.',
} satisfies MessageTree;

/** Messages of reports in HTML, in one language. */
export type HtmlMessages = typeof htmlMessages;
