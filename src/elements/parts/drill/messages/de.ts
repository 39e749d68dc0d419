import { countedIn } from '../../../messages/counted.js';
import type { DrillMessages } from './messages.js';

const counted = countedIn('de');

/** German. */
export const de: DrillMessages = {
  rowsBehind: 'Zeilen hinter der Zahl',
  path: 'Weg zurück',
  close: 'Schließen',
  loading: 'Die Zeilen werden geladen …',
  empty: ['Keine Zeilen', 'Hierhinter steht nichts.'],
  cannotOpen: label => [
    'Nicht geöffnet',
    `Diese Seite öffnet keine anderen Dashboards, darum führt „${label}“ hier nirgendwohin.`,
  ],
  downloadCsv: 'CSV herunterladen',
  copy: 'Zeilen kopieren',
  copied: 'Zeilen kopiert',
  copyFailed: 'Der Browser hat das Kopieren nicht erlaubt.',
  rowCount: count => counted(count, { one: '# Zeile', other: '# Zeilen' }),
  firstRows: count => `Die ersten ${count} Zeilen. Es kann mehr geben.`,
};
