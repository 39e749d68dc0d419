import type { HtmlMessages } from './messages.js';

/** French. */
export const fr: HtmlMessages = {
  firstRows: (shown, total) => `${shown} premières lignes sur ${total}`,
  tooMuch: 'Une partie est omise : il y en a trop.',
};
