import type { MarkdownNode } from '../../../report/markdown/markdown-nodes.js';
import { type MarkdownChange, MarkdownStream } from '../../../report/markdown/markdown-stream.js';
import { drawMarkdown, type MarkdownStyle, redrawMarkdown } from './draw-markdown.js';

export type { MarkdownStyle } from './draw-markdown.js';

/** Time that may be spent at once, in ms: a frame has 16 of them, and the browser lays out what was drawn. */
const longestFlush = 12;
/** Characters that are read at once, and nodes that change places: far less time than a flush. */
const longestPiece = 4_000;
const mostMoves = 50;

/**
 * Draws Markdown while it arrives, as the only content of an element: once per frame, and nothing but what changed. Blocks that
 * are settled keep their nodes. What takes longer than a part of a frame goes on in the next one. Knows no framework; nothing is
 * under way while no text is waiting.
 */
export class MarkdownView {
  readonly #container: HTMLElement;
  readonly #style: MarkdownStyle;
  #stream = new MarkdownStream();
  #text = '';
  #waiting = '';
  #isEnding = false;
  /** Whether the stream has more to tell without more text. */
  #isBehind = false;
  /** What is drawn and not settled. */
  #tail: readonly MarkdownNode[] = [];
  /** Where another text is drawn until it can take the place of the one that is shown. */
  #fresh: HTMLElement | null = null;
  /** While it does: the next node that is shown of the other one. */
  #old: ChildNode | null = null;
  #isMoving = false;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(container: HTMLElement, style: MarkdownStyle) {
    this.#container = container;
    this.#style = style;
    container.replaceChildren();
  }

  /** Whether all that came is drawn. */
  get isAtRest(): boolean {
    return !(this.#waiting || this.#isEnding || this.#isBehind || this.#fresh);
  }

  /** Adds text, which is drawn with the next frame. */
  append(delta: string): void {
    this.#text += delta;
    this.#waiting += delta;
    this.#schedule();
  }

  /**
   * Draws the whole text, at once unless it is long, and goes on with what `dispose` stopped. What is drawn already stays: the
   * same text changes nothing, a longer one adds the rest.
   */
  replace(text: string): void {
    if (text.startsWith(this.#text)) {
      this.#waiting += text.slice(this.#text.length);
    } else {
      this.#waiting = text;
      this.#stream = new MarkdownStream();
      this.#isEnding = this.#isBehind = this.#isMoving = false;
      this.#tail = [];
      this.#fresh = document.createElement('div');
    }
    this.#text = text;
    this.#flush();
  }

  /** Draws what is waiting, for no more text comes. */
  end(): void {
    this.#isEnding = true;
    this.#flush();
  }

  /** Stops drawing; what is drawn stays. */
  dispose(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#frame = 0;
    this.#timer = undefined;
  }

  /** A hidden page gets no frames: there a timer draws, as seldom as it likes. */
  #schedule(): void {
    if (document.hidden) this.#timer ??= setTimeout(() => this.#flush());
    else this.#frame ||= requestAnimationFrame(() => this.#flush());
  }

  #flush(): void {
    this.dispose();
    const until = performance.now() + longestFlush;
    while (!this.isAtRest) {
      this.#step();
      if (performance.now() >= until) break;
    }
    if (!this.isAtRest) this.#schedule();
  }

  /** Does a small part of what is to be done. */
  #step(): void {
    if (this.#isMoving || !(this.#waiting || this.#isEnding || this.#isBehind)) {
      this.#move();
      return;
    }
    const piece = this.#waiting.slice(0, longestPiece);
    this.#waiting = this.#waiting.slice(longestPiece);
    const isLast = this.#isEnding && !this.#waiting;
    if (isLast) this.#isEnding = false;
    this.#draw(isLast ? this.#stream.end(piece) : this.#stream.push(piece), this.#fresh ?? this.#container);
  }

  /** Puts what was drawn of another text in the place of what is shown, but for what is equal. */
  #move(): void {
    if (!this.#isMoving) this.#old = this.#container.firstChild;
    this.#isMoving = true;
    for (let moves = 0; moves < mostMoves; moves++) {
      const node = this.#fresh?.firstChild;
      const old = this.#old;
      this.#old = old?.nextSibling ?? null;
      if (node && !old) this.#container.append(node);
      else if (node && old?.isEqualNode(node)) node.remove();
      else if (node) old?.replaceWith(node);
      else old?.remove();
      if (!node && !this.#old) {
        this.#fresh = null;
        this.#isMoving = false;
        return;
      }
    }
  }

  #draw({ blocks, settled, keep, reopened, isBehind }: MarkdownChange, host: HTMLElement): void {
    this.#isBehind = isBehind;
    redrawMarkdown(host, this.#tail, blocks, this.#style);
    // All places before any change: the browser finds a child by its place from the last one found, until something changes.
    const places = reopened.map(([place, block]) => ({ node: host.childNodes[place], block }));
    for (const { node, block } of places) node?.replaceWith(drawMarkdown(block, this.#style));
    const [open, ...rest] = blocks.slice(settled);
    if (!open) this.#tail = [];
    else this.#tail = ['children' in open ? { ...open, children: open.children.slice(keep) } : open, ...rest];
  }
}
