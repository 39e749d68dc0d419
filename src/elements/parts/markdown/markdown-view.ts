import type { MarkdownNode } from '../../../report/markdown-nodes.js';
import { type MarkdownChange, MarkdownStream } from '../../../report/markdown-stream.js';
import { drawMarkdown, type MarkdownStyle, redrawMarkdown } from './draw-markdown.js';

export type { MarkdownLabels, MarkdownStyle } from './draw-markdown.js';

/**
 * Draws Markdown while it arrives, as the only content of an element: once per frame, and nothing but what changed. Blocks that
 * are settled keep their nodes. Knows no framework; nothing is under way while no text is waiting.
 */
export class MarkdownView {
  readonly #container: HTMLElement;
  readonly #style: MarkdownStyle;
  #stream = new MarkdownStream();
  #text = '';
  #waiting = '';
  /** What is drawn and not settled. */
  #tail: readonly MarkdownNode[] = [];
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(container: HTMLElement, style: MarkdownStyle) {
    this.#container = container;
    this.#style = style;
    container.replaceChildren();
  }

  /** Adds text, which is drawn with the next frame. A hidden page gets no frames: there a timer draws, as seldom as it likes. */
  append(delta: string): void {
    this.#text += delta;
    this.#waiting += delta;
    if (document.hidden) this.#timer ??= setTimeout(() => this.#flush());
    else this.#frame ||= requestAnimationFrame(() => this.#flush());
  }

  /** Draws the whole text, at once. What is drawn already stays: the same text changes nothing, a longer one adds the rest. */
  replace(text: string): void {
    if (text.startsWith(this.#text)) {
      this.append(text.slice(this.#text.length));
      this.#flush();
      return;
    }
    this.dispose();
    this.#text = text;
    this.#waiting = '';
    this.#stream = new MarkdownStream();
    this.#tail = [];
    const fresh = document.createElement('div');
    this.#draw(this.#stream.push(text), fresh);
    const drawn = [...this.#container.childNodes];
    const now = [...fresh.childNodes];
    for (const [place, node] of now.entries()) {
      const old = drawn[place];
      if (!old) this.#container.append(node);
      else if (!old.isEqualNode(node)) old.replaceWith(node);
    }
    for (const old of drawn.slice(now.length)) old.remove();
  }

  /** Draws what is waiting, for no more text comes. */
  end(): void {
    this.dispose();
    this.#draw(this.#stream.end(this.#waiting));
    this.#waiting = '';
  }

  /** Stops drawing; what is drawn stays. */
  dispose(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#frame = 0;
    this.#timer = undefined;
  }

  #flush(): void {
    this.dispose();
    const text = this.#waiting;
    this.#waiting = '';
    if (text) this.#draw(this.#stream.push(text));
  }

  #draw({ blocks, settled, keep, reopened }: MarkdownChange, container = this.#container): void {
    redrawMarkdown(container, this.#tail, blocks, this.#style);
    for (const [place, block] of reopened) container.childNodes[place]?.replaceWith(drawMarkdown(block, this.#style));
    const [open, ...rest] = blocks.slice(settled);
    if (!open) this.#tail = [];
    else this.#tail = ['children' in open ? { ...open, children: open.children.slice(keep) } : open, ...rest];
  }
}
