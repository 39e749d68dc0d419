import type { Mention } from '../../report/comments/comment-text.js';

/** An unsent comment. */
export interface CommentDraft {
  readonly text: string;
  /** Users that the text mentions. */
  readonly mentions: readonly Mention[];
  /** The tile that the comment refers to; `null` for the whole dashboard. */
  readonly widgetId: string | null;
}

/** Unsent comments of one user on one dashboard, by the field in which they were typed. */
export class CommentDrafts {
  readonly #drafts = new Map<string, CommentDraft>();

  /** Returns the draft of a field; `null` if it has none. */
  read(field: string): CommentDraft | null {
    return this.#drafts.get(field) ?? null;
  }

  /** Stores the draft of a field; an empty text deletes it. */
  write(field: string, draft: CommentDraft): void {
    if (draft.text.trim()) this.#drafts.set(field, draft);
    else this.delete(field);
  }

  delete(field: string): void {
    this.#drafts.delete(field);
  }

  clear(): void {
    this.#drafts.clear();
  }
}
