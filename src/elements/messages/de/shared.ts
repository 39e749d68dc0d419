import { createPluralizer } from '../message-format.js';
import type { SharedMessages } from '../shared-messages.js';

const pluralize = createPluralizer('de');

/** German messages that several elements have in common. */
export const shared: SharedMessages = {
  retry: 'Wiederholen',
  tryAgain: 'Noch einmal versuchen',
  details: 'Details',
  code: 'Code',
  request: 'Anfrage',
  cancel: 'Abbrechen',
  sessionOver: ['Die Sitzung ist abgelaufen', 'Seite neu laden oder neu anmelden.'],
  sessionEnded: ['Ihre Sitzung ist beendet', 'Seite neu laden oder neu anmelden, um fortzufahren.'],
  sessionFailed: [
    'Die Sitzung ließ sich nicht starten',
    'Noch einmal versuchen. Besteht das Problem weiter, den Betreiber dieser Seite fragen.',
  ],
  downloadCsv: 'CSV herunterladen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyRows: 'Zeilen kopieren',
  rowsCopied: 'Zeilen kopiert',
  copyFailed: 'Der Browser hat das Kopieren blockiert.',
  notShown: count => pluralize(count, { other: '# nicht gezeigt' }),
};
