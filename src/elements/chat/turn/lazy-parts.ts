// What of a turn loads late, each in a chunk of its own.

/** What draws Markdown. */
export type Markdown = typeof import('./markdown.js');

/** Loads what draws Markdown; null where it can't be had, which leaves plain text in its place. */
export function loadMarkdown(): Promise<Markdown | null> {
  return import('./markdown.js').catch(() => null);
}

/** Loads the element that shows a step; without it there is none to be seen. */
export function loadStep(): void {
  import('../step/pa-chat-step.js').catch(() => {});
}

/** Loads the element that shows images; without it there are none to be seen. */
export function loadImages(): void {
  import('../attachments/pa-chat-attachments.js').catch(() => {});
}
