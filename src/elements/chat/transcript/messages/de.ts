import type { AnswerCounts, TranscriptMessages } from './messages.js';

const nouns: Readonly<Record<keyof AnswerCounts, readonly [one: string, many: string]>> = {
  paragraphs: ['Absatz', 'Absätze'],
  lists: ['Liste', 'Listen'],
  tables: ['Tabelle', 'Tabellen'],
  charts: ['Diagramm', 'Diagramme'],
  codeBlocks: ['Codeblock', 'Codeblöcke'],
};

/** German. */
export const de: TranscriptMessages = {
  transcript: 'Nachrichten',
  question: 'Sie schrieben',
  answer: 'Antwort',
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
  connecting: 'Verbinden …',
  working: 'In Arbeit …',
  reconnecting: 'Neu verbinden …',
  offline: 'Offline. Es geht weiter, sobald die Verbindung wieder steht.',
  ends: {
    aborted: 'Sie haben diese Antwort angehalten.',
    failed: 'Diese Antwort ist fehlgeschlagen.',
    length: 'Diese Antwort wurde abgeschnitten: Sie hat eine Grenze erreicht.',
    suspended: 'Diese Antwort wurde unterbrochen und kann weitergehen.',
    interrupted: 'Diese Antwort wurde abgeschnitten: Die Verbindung ging verloren.',
  },
  retry: 'Wiederholen',
  resume: 'Weiter',
  answering: 'Antwort kommt',
  complete: counts => {
    const parts = Object.entries(nouns).flatMap(([kind, [one, many]]) => {
      const count = counts[kind as keyof AnswerCounts];
      return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
    });
    return parts.length === 0 ? 'Antwort vollständig' : `Antwort vollständig: ${parts.join(', ')}`;
  },
};
