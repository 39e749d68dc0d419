import type { Messages } from './messages.js';

/** German. */
export const de: Messages = {
  retry: 'Wiederholen',
  retryAll: 'Alle erneut laden',
  details: 'Details',
  code: 'Code',
  request: 'Anfrage',
  dashboard: 'Dashboard',
  report: 'Bericht',
  text: 'Text',
  problems: {
    offline: ['Sie sind offline', 'Es geht weiter, sobald die Verbindung wieder steht.'],
    unreachable: ['Die Daten sind nicht erreichbar', 'Verbindung prüfen und wiederholen.'],
    timeout: ['Das dauert zu lange', 'Bitte gleich noch einmal versuchen.'],
    session: ['Die Sitzung ist beendet', 'Seite neu laden oder neu anmelden.'],
    denied: ['Kein Zugriff', 'Den Betreiber dieser Seite um Zugriff bitten.'],
    missing: ['Nicht verfügbar', 'Vielleicht nicht veröffentlicht oder nicht für Sie freigegeben.'],
    rejected: ['Dieser Bericht lässt sich nicht ausführen', 'Wer ihn erstellt hat, muss ihn ändern.'],
    drawing: ['Dieser Bericht lässt sich nicht zeichnen', 'Wer ihn erstellt hat, muss ihn ändern.'],
    failed: ['Etwas ist schiefgegangen', 'Bitte gleich noch einmal versuchen.'],
  },
  empty: ['Keine Daten', 'In diesem Bericht steht noch nichts.'],
  emptyFiltered: ['Keine Daten', 'Zu den Filtern dieses Berichts passt nichts.'],
  emptyChosen: ['Keine Daten', 'Zur Auswahl oben passt nichts.'],
  emptyChosenBy: names => `Zur Auswahl bei ${names} passt nichts.`,
  clearFilters: count => (count === 1 ? 'Filter aufheben' : 'Diese Filter aufheben'),
  emptyDashboard: ['Noch nichts hier', 'Dieses Dashboard hat keine Kacheln.'],
  unsupportedKind: ['Noch nicht unterstützt', 'Berichte dieser Art lassen sich hier noch nicht zeigen.'],
  noQuery: ['Keine Abfrage', 'Dieser Bericht fragt nichts ab. Wer ihn erstellt hat, muss ihn ändern.'],
  missingReport: ['Kein Bericht', 'Der Bericht dieser Kachel gehört nicht zum veröffentlichten Dashboard.'],
  missingDashboard: [
    'Kein Dashboard mit dieser öffentlichen ID',
    'Prüfen Sie die öffentliche ID. Vielleicht ist das Dashboard nicht veröffentlicht oder nicht für Sie freigegeben.',
  ],
  sessionEnded: ['Ihre Sitzung ist beendet', 'Seite neu laden oder neu anmelden, um fortzufahren.'],
  sessionFailed: [
    'Die Sitzung ließ sich nicht starten',
    'Noch einmal versuchen, sonst den Betreiber der Seite fragen.',
  ],
  tryAgain: 'Noch einmal versuchen',
  stillWorking: 'Lädt noch …',
  cancel: 'Abbrechen',
  stopped: ['Abgebrochen', 'Sie haben das Laden vorher beendet.'],
  tileMenu: title => `Menü von ${title}`,
  filtered: 'Gefiltert',
  filteredHint: names => `Hier zählt nur, was zu ${names} passt.`,
  firstRows: count => `Erste ${count} Zeilen; es kann mehr geben`,
  firstRowsHint: count =>
    `Die Antwort endet bei ${count} Zeilen. Es kann mehr geben, und Zahlen können unvollständig sein.`,
  firstRowsOf: (count, total) => `Erste ${count} von ${total} Zeilen`,
  firstRowsOfHint: (count, total) =>
    `Die Antwort endet bei ${count} von ${total} Zeilen. Zahlen können unvollständig sein.`,
  showingOf: (shown, total) => `${shown} von ${total} gezeigt`,
  showingOfHint: (shown, total) =>
    `${total} Zeichen sind zu viele, um sie zu unterscheiden: ${shown} davon sind gezeichnet, über das ganze Diagramm verteilt.`,
  stale: 'Nicht aktuell',
  staleHint: 'Sie haben die neueren Zeilen abgebrochen. Zu sehen ist der Stand von vorher.',
  controls: 'Steuerung',
  allValues: 'Alle',
  ownGranularity: 'Wie im Bericht',
  ignoresControls: 'Ohne Auswahl',
  ignoresControlsHint: (names, reason) =>
    `Was bei ${names} gewählt ist, wirkt auf diesen Bericht nicht.${reason ? ` Er läuft, wie sein SQL steht: ${reason}` : ''}`,
  ignoredBecause: {
    grains: 'Seine Zeilen sind nach zwei Granularitäten dieser Zeit gruppiert.',
    taken: 'Es enthält dieses Feld schon.',
    condition: 'Diese Bedingung lässt sich auf dieses Feld nicht anwenden.',
  },
  hiddenWidgets: count =>
    count === 1
      ? '1 Element lässt sich hier noch nicht zeigen.'
      : `${count} Elemente lassen sich hier noch nicht zeigen.`,
  allFailed: 'Keine Kachel ließ sich laden',
  notLoaded: 'Nicht geladen',
  failedTiles: count => (count === 1 ? '1 Kachel ließ sich nicht laden.' : `${count} Kacheln ließen sich nicht laden.`),
};
