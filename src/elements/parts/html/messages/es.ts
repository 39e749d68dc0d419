import type { HtmlMessages } from './messages.js';

/** Spanish. */
export const es: HtmlMessages = {
  firstRows: (shown, total) => `Primeras ${shown} de ${total} filas`,
  tooMuch: 'Se omite una parte: hay demasiado contenido.',
};
