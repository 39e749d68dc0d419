import type { AnswerCounts, ChatMessages } from './messages.js';

const nouns: Readonly<Record<keyof AnswerCounts, readonly [one: string, many: string]>> = {
  paragraphs: ['Absatz', 'Absätze'],
  lists: ['Liste', 'Listen'],
  tables: ['Tabelle', 'Tabellen'],
  charts: ['Diagramm', 'Diagramme'],
  codeBlocks: ['Codeblock', 'Codeblöcke'],
};

/** German. */
export const de: ChatMessages = {
  chat: 'Chat',
  open: 'Chat öffnen',
  close: 'Chat schließen',
  threads: 'Frühere Chats',
  newThread: 'Neuer Chat',
  transcript: 'Nachrichten',
  question: 'Sie schrieben',
  answer: 'Antwort',
  welcome: ['Fragen Sie Ihre Daten', 'Zu jeder Antwort steht die Abfrage dabei.'],
  suggestions: 'Vorschläge',
  composer: 'Nachricht',
  placeholder: 'Frage stellen',
  keys: 'Enter sendet, Umschalt+Enter beginnt eine neue Zeile, Alt+Bild auf führt zur neuesten Antwort.',
  send: 'Senden',
  stop: 'Anhalten',
  attach: 'Bilder anhängen',
  refused: {
    type: name => `${name} ist kein Bild, das sich senden lässt.`,
    size: name => `${name} ist zu groß.`,
    count: name => `${name} ist ein Bild zu viel.`,
    unreadable: name => `${name} lässt sich nicht lesen.`,
  },
  attachFailed: 'Bilder lassen sich gerade nicht anhängen.',
  image: 'Angehängtes Bild',
  tooLong: most => `Höchstens ${most} Zeichen.`,
  older: 'Frühere Nachrichten zeigen',
  latest: 'Zum Neuesten',
  latestNew: 'Neues weiter unten: hinspringen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Kopieren ist hier nicht erlaubt',
  edit: 'Ändern und neu senden',
  again: 'Noch einmal fragen',
  good: 'Gute Antwort',
  bad: 'Schlechte Antwort',
  usage: 'Verbrauch zeigen',
  usageIs: (tokens, input, output, calls) =>
    `${tokens} Token (${input} hinein, ${output} heraus), Aufrufe des Modells: ${calls}`,
  thinking: 'Überlegung',
  step: 'Schritt',
  connecting: 'Verbinden …',
  working: 'In Arbeit …',
  reconnecting: 'Neu verbinden …',
  offline: 'Offline. Es geht weiter, sobald die Verbindung wieder steht.',
  loading: 'Nachrichten werden geladen …',
  ends: {
    aborted: 'Sie haben diese Antwort angehalten.',
    failed: 'Diese Antwort ist fehlgeschlagen.',
    length: 'Diese Antwort wurde abgeschnitten: Sie hat eine Grenze erreicht.',
    suspended: 'Diese Antwort wurde unterbrochen und kann weitergehen.',
    interrupted: 'Diese Antwort wurde abgeschnitten: Die Verbindung ging verloren.',
  },
  resume: 'Weiter',
  off: ['Der Chat ist ausgeschaltet', 'Den Betreiber dieser Seite bitten, ihn einzuschalten.'],
  problems: {
    offline: ['Sie sind offline', 'Noch einmal versuchen, sobald die Verbindung wieder steht.'],
    unreachable: ['Der Chat ist nicht erreichbar', 'Verbindung prüfen und noch einmal versuchen.'],
    timeout: ['Das dauert zu lange', 'Bitte gleich noch einmal versuchen.'],
    session: ['Die Sitzung ist beendet', 'Seite neu laden oder neu anmelden.'],
    denied: ['Kein Zugriff auf diesen Chat', 'Den Betreiber dieser Seite um Zugriff bitten.'],
    missing: ['Diesen Chat gibt es nicht', 'Vielleicht wurde er gelöscht, oder er gehört Ihnen nicht.'],
    rejected: ['Das lässt sich nicht senden', 'Die Nachricht ändern oder einen neuen Chat beginnen.'],
    drawing: ['Das lässt sich nicht zeichnen', 'Anders danach fragen.'],
    failed: ['Etwas ist schiefgegangen', 'Bitte gleich noch einmal versuchen.'],
  },
  retry: 'Wiederholen',
  tryAgain: 'Noch einmal versuchen',
  details: 'Details',
  code: 'Code',
  request: 'Anfrage',
  sessionEnded: ['Ihre Sitzung ist beendet', 'Seite neu laden oder neu anmelden, um fortzufahren.'],
  sessionFailed: [
    'Die Sitzung ließ sich nicht starten',
    'Noch einmal versuchen, sonst den Betreiber der Seite fragen.',
  ],
  stopFailed: 'Die Antwort ließ sich nicht anhalten. Noch einmal versuchen.',
  answering: 'Antwort kommt',
  complete: counts => {
    const parts = Object.entries(nouns).flatMap(([kind, [one, many]]) => {
      const count = counts[kind as keyof AnswerCounts];
      return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
    });
    return parts.length === 0 ? 'Antwort vollständig' : `Antwort vollständig: ${parts.join(', ')}`;
  },
};
