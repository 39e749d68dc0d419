import { retryLoad } from '../../parts/retry-load.js';

// Lazy-loaded parts of a turn, each in its own chunk.

/** The Markdown renderer. */
export type Markdown = typeof import('./markdown.js');

/** Loads the Markdown renderer; resolves with `null` if it cannot be loaded. */
export function loadMarkdown(): Promise<Markdown | null> {
  // If loading fails, turns show plain text.
  return retryLoad(() => import('./markdown.js')).catch(() => null);
}

/** Loads the element that shows a step. */
export function loadStep(): void {
  // The next update of the turn retries a failed import. Steps are hidden until it succeeds.
  import('../step/step-element.js').catch(() => {});
}

/** Loads the form of a comment. */
export function loadComment(): void {
  // The next update of the turn retries a failed import. The form is hidden until it succeeds.
  import('../comment/comment-element.js').catch(() => {});
}

/** Loads the element that shows images. */
export function loadImages(): void {
  // The next update of the turn retries a failed import. Images are hidden until it succeeds.
  import('../attachments/attachments-element.js').catch(() => {});
}
