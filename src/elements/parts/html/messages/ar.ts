import type { HtmlMessages } from './messages.js';

/** Arabic. */
export const ar: HtmlMessages = {
  firstRows: (shown, total) => `أول ${shown} من ${total} من الصفوف`,
  tooMuch: 'حُذف جزء من المحتوى لكثرته.',
};
