// What of a chat loads late, each in a chunk of its own.

/** Loads what shows messages: the transcript, and what draws Markdown in it. Rejects where the transcript can't be had. */
export async function loadTranscript(): Promise<void> {
  import('./turn/markdown.js').catch(() => {});
  await import('./transcript/pa-chat-transcript.js');
}

/** Loads the list of threads; without it there is none to be seen. */
export function loadThreads(): void {
  import('./threads/pa-chat-threads.js').catch(() => {});
}

/** Parts of a transcript that a host may style, for `exportparts` of the element around it. */
export const transcriptParts =
  'transcript, day, question, answer, working, thinking, end, tool, usage, latest, step, code, copy, result, heading, chart, tooltip, table, markdown-table, button';
