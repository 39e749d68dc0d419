import type { ChatImage } from '../../../controllers/chat/chat-controller.js';

/** A message that has not been sent. */
export interface Draft {
  readonly text: string;
  readonly images: readonly ChatImage[];
}

/** The empty draft. */
export const emptyDraft: Draft = { text: '', images: [] };

/** Appends the second draft to the first. */
export function joinDrafts(first: Draft, then: Draft): Draft {
  return {
    text: [first.text, then.text].filter(Boolean).join('\n\n'),
    images: [...first.images, ...then.images],
  };
}

/** Maximum number of stored drafts. */
const maxDrafts = 20;

/** Drafts of the most recently edited threads, stored in memory. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();

  /** Stores the draft of a thread. */
  set(thread: string, draft: Draft): void {
    this.#drafts.delete(thread);
    if (draft.text === '' && draft.images.length === 0) return;
    this.#drafts.set(thread, draft);
    const [oldest] = this.#drafts.keys();
    if (this.#drafts.size > maxDrafts && oldest !== undefined) this.#drafts.delete(oldest);
  }

  /** Returns the draft of a thread. */
  get(thread: string): Draft {
    return this.#drafts.get(thread) ?? emptyDraft;
  }
}
