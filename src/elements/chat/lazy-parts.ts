// Lazy-loaded parts of a chat, each in its own chunk.

/** Loads the transcript once. */
export class TranscriptLoader {
  readonly #onFailed: () => void;
  #state: 'none' | 'requested' | 'failed' = 'none';

  /** @param onFailed - called if loading fails. Sent messages are not visible then. */
  constructor(onFailed: () => void) {
    this.#onFailed = onFailed;
  }

  /** Loads the transcript, unless it was requested before. */
  load(): void {
    if (this.#state === 'none') this.retry();
  }

  /** Loads the transcript unless it is loading or loaded. Unlike `load`, retries after a failure. */
  retry(): void {
    if (this.#state === 'requested') return;
    this.#state = 'requested';
    loadTranscript().catch(() => {
      this.#state = 'failed';
      this.#onFailed();
    });
  }
}

/** Loads the transcript and the Markdown renderer. Rejects if the transcript cannot be loaded. */
async function loadTranscript(): Promise<void> {
  // Ignore the error. Turns load the renderer again, and show plain text if that also fails.
  import('./turn/markdown.js').catch(() => {});
  await import('./transcript/transcript-element.js');
}

/** Loads the thread list. */
export function loadThreads(): void {
  // If loading fails, the list is not shown.
  import('./threads/threads-element.js').catch(() => {});
}

/** Loads the edge that resizes a panel or docked chat. */
export function loadEdge(): void {
  // If loading fails, the chat keeps its width.
  import('./edge/edge-element.js').catch(() => {});
}

/** Loads the chips of the dashboard that a message is about. */
export function loadContext(): void {
  // If loading fails, messages have no context.
  import('./context/context-element.js').catch(() => {});
}

/** CSS parts of a transcript, for `exportparts` of the enclosing element. */
export const transcriptParts =
  'transcript, day, question, answer, working, thinking, end, tool, usage, latest, step, code, copy, result, heading, chart, tooltip, table, markdown-table, note, input, button';
