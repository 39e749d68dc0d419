import type { ReactiveControllerHost } from 'lit';

/** What draws Markdown, in a chunk of its own. */
export type Markdown = typeof import('./markdown.js');

/** Loads what draws Markdown, once, and updates its host when it is there. What can't be loaded leaves plain text in its place. */
export class LateMarkdown {
  readonly #host: ReactiveControllerHost;
  #markdown: Markdown | null = null;
  #isLoading = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** Null until it is there. */
  get value(): Markdown | null {
    return this.#markdown;
  }

  /** Loads it, unless it is on its way. */
  load(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    import('./markdown.js').then(
      markdown => {
        this.#markdown = markdown;
        this.#host.requestUpdate();
      },
      () => {
        this.#isLoading = false;
      },
    );
  }
}

/** Loads the element that shows a step; without it there is none to be seen. */
export function loadStep(): void {
  import('../parts/step/pa-chat-step.js').catch(() => {});
}

/** Loads the element that shows images; without it there are none to be seen. */
export function loadImages(): void {
  import('../parts/attachments/pa-chat-attachments.js').catch(() => {});
}
