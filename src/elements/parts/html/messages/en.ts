import type { HtmlMessages } from './messages.js';

/** English. */
export const en: HtmlMessages = {
  firstRows: (shown, total) => `First ${shown} of ${total} rows`,
  tooMuch: 'Part of this is left out: there is too much of it.',
};
