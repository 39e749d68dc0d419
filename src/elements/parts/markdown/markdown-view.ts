import type { MarkdownNode } from '../../../report/markdown/markdown-nodes.js';
import { type MarkdownChange, MarkdownStream } from '../../../report/markdown/markdown-stream.js';
import { drawMarkdown, type MarkdownStyle, redrawMarkdown } from './draw-markdown.js';

export type { MarkdownStyle } from './draw-markdown.js';

/** Maximum time per flush, in ms. A frame has 16 ms, and the browser also needs time for layout. */
const maxFlushMs = 12;
/** Maximum number of characters to parse and of nodes to move per step. A step takes far less time than a flush. */
const maxPieceLength = 4_000;
const maxMoves = 50;

/**
 * Renders streamed Markdown as the only content of an element: once per frame, and only what changed. Settled blocks
 * keep their nodes. Work that exceeds its part of a frame continues in the next frame. Does not depend on a framework,
 * and schedules no frames while no work is pending.
 */
export class MarkdownView {
  readonly #container: HTMLElement;
  readonly #style: MarkdownStyle;
  #stream = new MarkdownStream();
  #text = '';
  #waiting = '';
  #isEnding = false;
  /** Whether received text is still to be rendered. */
  #isBehind = false;
  /** Rendered blocks that are not settled. */
  #tail: readonly MarkdownNode[] = [];
  /** Detached element in which a replacement text is rendered before it is shown. */
  #fresh: HTMLElement | null = null;
  /** Next node to replace while the nodes of the replacement text are moved into the container. */
  #old: ChildNode | null = null;
  #isMoving = false;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(container: HTMLElement, style: MarkdownStyle) {
    this.#container = container;
    this.#style = style;
    container.replaceChildren();
  }

  /** Whether all received text is rendered. */
  get isAtRest(): boolean {
    return !(this.#waiting || this.#isEnding || this.#isBehind || this.#fresh);
  }

  /** Appends text; it is rendered in the next frame. */
  append(delta: string): void {
    this.#text += delta;
    this.#waiting += delta;
    this.#schedule();
  }

  /**
   * Sets the whole text and resumes after `dispose`. Renders synchronously unless the text is long. Preserves rendered
   * content. An equal text changes nothing, and a continuation of the text only adds the rest.
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

  /** Renders the pending text; no more text follows. */
  end(): void {
    this.#isEnding = true;
    this.#flush();
  }

  /** Stops rendering; preserves the rendered content. */
  dispose(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#frame = 0;
    this.#timer = undefined;
  }

  /**
   * Schedules the next rendering for the next frame. Hidden pages get no frames, so they use a timer, which the browser
   * may throttle.
   */
  #schedule(): void {
    if (document.hidden) this.#timer ??= setTimeout(() => this.#flush());
    else this.#frame ||= requestAnimationFrame(() => this.#flush());
  }

  #flush(): void {
    this.dispose();
    const until = performance.now() + maxFlushMs;
    while (!this.isAtRest) {
      this.#step();
      if (performance.now() >= until) break;
    }
    if (!this.isAtRest) this.#schedule();
  }

  /** Performs a small part of the pending work. */
  #step(): void {
    if (this.#isMoving || !(this.#waiting || this.#isEnding || this.#isBehind)) {
      this.#move();
      return;
    }
    const piece = this.#waiting.slice(0, maxPieceLength);
    this.#waiting = this.#waiting.slice(maxPieceLength);
    const isLast = this.#isEnding && !this.#waiting;
    if (isLast) this.#isEnding = false;
    this.#draw(isLast ? this.#stream.end(piece) : this.#stream.push(piece), this.#fresh ?? this.#container);
  }

  /** Replaces the displayed nodes with those of the replacement text, except for equal nodes. */
  #move(): void {
    if (!this.#isMoving) this.#old = this.#container.firstChild;
    this.#isMoving = true;
    for (let moves = 0; moves < maxMoves; moves++) {
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
    // Look up all nodes before any change. Until the tree changes, the browser starts the search for a child by index
    // at the last child found.
    const places = reopened.map(([place, block]) => ({ node: host.childNodes[place], block }));
    for (const { node, block } of places) node?.replaceWith(drawMarkdown(block, this.#style));
    const [open, ...rest] = blocks.slice(settled);
    if (!open) this.#tail = [];
    else this.#tail = ['children' in open ? { ...open, children: open.children.slice(keep) } : open, ...rest];
  }
}
