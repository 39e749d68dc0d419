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
  sessionOver: ['Die Sitzung ist abgelaufen', 'Laden Sie die Seite neu oder melden Sie sich neu an.'],
  sessionEnded: ['Ihre Sitzung ist beendet', 'Laden Sie die Seite neu oder melden Sie sich neu an, um fortzufahren.'],
  sessionFailed: [
    'Die Sitzung ließ sich nicht starten',
    'Versuchen Sie es noch einmal. Besteht das Problem weiter, fragen Sie den Betreiber dieser Seite.',
  ],
  downloadCsv: 'CSV herunterladen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyRows: 'Zeilen kopieren',
  rowsCopied: 'Zeilen kopiert',
  copyFailed: 'Der Browser hat das Kopieren blockiert.',
  notShown: count => pluralize(count, { other: '# nicht gezeigt' }),
};
