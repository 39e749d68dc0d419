import type { HtmlMessages } from './messages.js';

/** German. */
export const de: HtmlMessages = {
  firstRows: (shown, total) => `Erste ${shown} von ${total} Zeilen`,
  tooMuch: 'Ein Teil ist ausgelassen: Es ist zu viel.',
};
