import type { MarkdownStyle, MarkdownView } from '../../parts/markdown/markdown-view.js';

/** The loaded Markdown renderer and its options. */
export interface MarkdownDrawing {
  readonly View: new (container: HTMLElement, style: MarkdownStyle) => MarkdownView;
  readonly style: MarkdownStyle;
}

/** Renders a text block of an answer: Markdown, or plain text until the renderer is loaded. Writes only changes. */
export class TextView {
  readonly #container: HTMLElement;
  #view: MarkdownView | null = null;
  #plain: Text | null = null;
  #text = '';
  #isEnded = false;

  constructor(container: HTMLElement) {
    this.#container = container;
  }

  /** Whether the text is rendered in this container. */
  isIn(container: HTMLElement): boolean {
    return container === this.#container;
  }

  /** Shows text; `isWhole` is true if it is complete. */
  show(
    text: string,
    { isWhole, drawing }: { readonly isWhole: boolean; readonly drawing: MarkdownDrawing | null },
  ): void {
    if (drawing) this.#draw(text, drawing, { isWhole });
    else this.#write(text);
    this.#text = text;
  }

  /** Resumes rendering after `dispose`. */
  resume(): void {
    this.#view?.replace(this.#text);
  }

  /** Stops rendering; the current content stays. */
  dispose(): void {
    this.#view?.dispose();
  }

  #draw(text: string, { View, style }: MarkdownDrawing, { isWhole }: { readonly isWhole: boolean }): void {
    if (this.#isEnded && text === this.#text) return;
    if (!this.#view || this.#isEnded) {
      this.#view?.dispose();
      this.#view = new View(this.#container, style);
      this.#container.className = 'text markdown';
      this.#plain = null;
    }
    this.#view.replace(text);
    if (isWhole) this.#view.end();
    this.#isEnded = isWhole;
  }

  #write(text: string): void {
    if (!this.#plain) {
      this.#plain = document.createTextNode('');
      this.#container.className = 'text plain';
      this.#container.replaceChildren(this.#plain);
    }
    if (text.startsWith(this.#text)) this.#plain.appendData(text.slice(this.#text.length));
    else this.#plain.data = text;
  }
}
