// Lazy-loaded parts of a chat, each in its own chunk.

/** Loads the transcript and the Markdown renderer. Rejects if the transcript cannot be loaded. */
export async function loadTranscript(): Promise<void> {
  import('./turn/markdown.js').catch(() => {});
  await import('./transcript/pa-chat-transcript.js');
}

/** Loads the thread list. If loading fails, the list is not shown. */
export function loadThreads(): void {
  import('./threads/pa-chat-threads.js').catch(() => {});
}

/** CSS parts of a transcript, for `exportparts` of the enclosing element. */
export const transcriptParts =
  'transcript, day, question, answer, working, thinking, end, tool, usage, latest, step, code, copy, result, heading, chart, tooltip, table, markdown-table, button';
