import type { TableMessages } from './messages.js';

const plural = new Intl.PluralRules('de');
const isOne = (count: number): boolean => plural.select(count) === 'one';

/** German. */
export const de: TableMessages = {
  sortHint: 'Klick oder Eingabetaste sortiert, mit Umschalt kommt eine Spalte hinzu, F2 ändert die Breite',
  sortsShown: 'Sortiert nur die angezeigten Zeilen: es kann mehr geben',
  ascending: title => `${title}, aufsteigend`,
  descending: title => `${title}, absteigend`,
  sortedBy: list => `Sortiert nach ${list}`,
  unsorted: 'In der Reihenfolge des Berichts',
  width: title => `Breite von ${title}`,
  copied: (count, text) => (isOne(count) ? '1 Zelle kopiert' : `${text} Zellen kopiert`),
  copyTooMany: most => `Zu viel zum Kopieren: höchstens ${most} Zellen`,
  leftOut: (count, text) => (isOne(count) ? '1 weitere Zeile fehlt hier.' : `${text} weitere Zeilen fehlen hier.`),
  tones: { positive: 'gut', negative: 'schlecht', warning: 'Warnung', accent: 'hervorgehoben' },
  trend: (count, text, from, to) => (isOne(count) ? `1 Wert, ${to}` : `${text} Werte, von ${from} bis ${to}`),
  cut: 'Es gibt mehr, als eine Tabelle fasst: nicht alle Spalten und Zeilen werden gezeigt.',
  total: 'Gesamt',
  columnGroup: 'Gezeigte Spalten',
  allGroups: 'Alle Spalten',
};
