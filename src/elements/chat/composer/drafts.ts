import type { ChatImage } from '../../../controllers/chat/chat-controller.js';

/** What is written and not sent. */
export interface Draft {
  readonly text: string;
  readonly images: readonly ChatImage[];
}

/** Nothing is written. */
export const emptyDraft: Draft = { text: '', images: [] };

/** A draft, and what was written after it. */
export function joinDrafts(first: Draft, then: Draft): Draft {
  return {
    text: [first.text, then.text].filter(Boolean).join('\n\n'),
    images: [...first.images, ...then.images],
  };
}

/** Threads whose drafts are kept. */
const most = 20;

/** Drafts of threads, the latest ones, as long as the page lives. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();

  /** Keeps what was written to a thread. */
  keep(thread: string, draft: Draft): void {
    this.#drafts.delete(thread);
    if (draft.text === '' && draft.images.length === 0) return;
    this.#drafts.set(thread, draft);
    const [oldest] = this.#drafts.keys();
    if (this.#drafts.size > most && oldest !== undefined) this.#drafts.delete(oldest);
  }

  /** What was written to a thread. */
  take(thread: string): Draft {
    return this.#drafts.get(thread) ?? emptyDraft;
  }
}
