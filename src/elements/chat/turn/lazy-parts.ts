// Lazy-loaded parts of a turn, each in its own chunk.

/** The Markdown renderer. */
export type Markdown = typeof import('./markdown.js');

/** Loads the Markdown renderer; resolves with `null` if it cannot be loaded, which leaves plain text. */
export function loadMarkdown(): Promise<Markdown | null> {
  return import('./markdown.js').catch(() => null);
}

/** Loads the element that shows a step. If loading fails, steps are not shown. */
export function loadStep(): void {
  import('../step/pa-chat-step.js').catch(() => {});
}

/** Loads the element that shows images. If loading fails, images are not shown. */
export function loadImages(): void {
  import('../attachments/pa-chat-attachments.js').catch(() => {});
}
