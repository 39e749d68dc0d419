import type { HtmlMessages } from './messages.js';

/** Japanese. */
export const ja: HtmlMessages = {
  firstRows: (shown, total) => `${total} 行中、最初の ${shown} 行`,
  tooMuch: '多すぎるため、一部を省いています。',
};
