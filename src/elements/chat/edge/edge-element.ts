import { css, html, LitElement, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { tokens } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';

/** Minimum and maximum width of the chat, px. */
const widths = { min: 320, max: 880 } as const;
/** Change of the width per key press, px. */
const step = 16;
/** Total margin on both sides of an overlay panel, px. */
const margins = 48;
/** Minimum width of the page's content next to a panel, px. */
const minContentWidth = 880;

/** Width that the viewer chose, px; `null` if not set. Applies to every chat of the page until the page is reloaded. */
let chosenWidth: number | null = null;

/**
 * The edge that reserves space, the CSS property of the root element that it sets, and the previous value of this
 * property.
 */
let reserved: { readonly edge: PaChatEdge; readonly side: string; readonly before: string } | null = null;

/**
 * The edge of a panel or docked chat. The viewer drags the edge, or moves it with the arrow keys, to resize the chat.
 * It also reserves space in the page for an open panel, so that the panel is next to the content if there is enough
 * space.
 *
 * @summary The edge that resizes a chat.
 * @tagname pa-chat-edge
 */
export class PaChatEdge extends LitElement {
  static override styles = [
    tokens,
    css`
      :host {
        position: absolute;
        inset-block: 0;
        inset-inline-start: 0;
        z-index: 3;
        inline-size: 10px;
      }
      :host([at-end]) {
        inset-inline: auto 0;
      }
      div {
        block-size: 100%;
        border-inline-start: 3px solid transparent;
        cursor: col-resize;
        touch-action: none;
      }
      :host([at-end]) div {
        border-inline: 0 3px solid transparent;
      }
      div:is(:hover, :focus-visible, .dragged) {
        border-color: var(--_accent);
        outline: none;
      }
      @media (max-width: 480px) {
        :host {
          display: none;
        }
      }
      @media print {
        :host {
          display: none;
        }
      }
    `,
  ];

  /** The chat whose width changes. */
  @property({ attribute: false }) chat: HTMLElement | null = null;
  /** Accessible name. */
  @property({ attribute: false }) label = '';
  /** Whether the chat is a panel over the page; otherwise it is part of the page's layout. */
  @property({ attribute: false }) isPanel = false;
  /** Whether the chat is open. */
  @property({ attribute: false }) isOpen = false;

  @state() private isDragged = false;
  @state() private width = 0;

  #drag: { readonly x: number; readonly width: number } | null = null;
  readonly #sizes = new ResizeObserver(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('resize', this.#handleResize);
    if (this.parentElement) this.#sizes.observe(this.parentElement);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('resize', this.#handleResize);
    this.#sizes.disconnect();
    this.#release();
  }

  protected override willUpdate(): void {
    const { chat } = this;
    if (!chat) return;
    const width = chosenWidth === null ? null : this.#limited(chosenWidth);
    if (width === null) chat.style.removeProperty('--_chat-width');
    else chat.style.setProperty('--_chat-width', `${width}px`);
    this.width = width ?? this.#frame.width;
  }

  protected override updated(): void {
    this.#reserve();
    const { left, width } = this.#frame;
    const isOnLeft = left + width / 2 < innerWidth / 2;
    this.toggleAttribute('at-end', isOnLeft === this.#isLeftToRight);
  }

  override render(): TemplateResult {
    return html`<div
      class=${this.isDragged ? 'dragged' : ''}
      role="separator"
      tabindex="0"
      aria-orientation="vertical"
      aria-label=${this.label}
      title=${this.label}
      aria-valuenow=${Math.round(this.width)}
      aria-valuemin=${widths.min}
      aria-valuemax=${this.#maxWidth}
      @pointerdown=${this.#handleDown}
      @pointermove=${this.#handleMove}
      @pointerup=${this.#handleUp}
      @pointercancel=${this.#handleUp}
      @dblclick=${() => this.#resize(null)}
      @keydown=${this.#handleKey}
    ></div>`;
  }

  get #frame(): DOMRect {
    return this.parentElement?.getBoundingClientRect() ?? new DOMRect();
  }

  get #isLeftToRight(): boolean {
    return getComputedStyle(this).direction === 'ltr';
  }

  /** 1 if the chat grows when the edge moves to the right, -1 otherwise. */
  get #sign(): 1 | -1 {
    return this.hasAttribute('at-end') === this.#isLeftToRight ? 1 : -1;
  }

  get #maxWidth(): number {
    return Math.max(widths.min, Math.min(widths.max, innerWidth - margins));
  }

  #limited(width: number): number {
    return Math.min(this.#maxWidth, Math.max(widths.min, width));
  }

  /** Sets the width; `null` restores the width of the style sheet. */
  #resize(width: number | null): void {
    chosenWidth = width === null ? null : this.#limited(width);
    this.requestUpdate();
  }

  /** Reserves space next to the content for an open panel, if the content keeps enough of it. */
  #reserve(): void {
    const { width } = this.#frame;
    const hasSpace = this.isPanel && this.isOpen && width > 0 && innerWidth - width >= minContentWidth;
    this.parentElement?.toggleAttribute('data-docked', hasSpace);
    if (!hasSpace) {
      this.#release();
      return;
    }
    const { style } = document.documentElement;
    const side = this.#isLeftToRight ? 'padding-right' : 'padding-left';
    // Only one panel reserves space at a time. Otherwise, a closing panel would restore the value that another panel
    // has set.
    if (reserved?.edge !== this || reserved.side !== side) {
      if (reserved) reserved.edge.#release();
      reserved = { edge: this, side, before: style.getPropertyValue(side) };
    }
    style.setProperty(side, `${width}px`);
  }

  #release(): void {
    if (reserved?.edge !== this) return;
    const { side, before } = reserved;
    document.documentElement.style.setProperty(side, before);
    reserved = null;
  }

  readonly #handleResize = (): void => this.requestUpdate();

  readonly #handleDown = (event: PointerEvent): void => {
    if (event.button !== 0 || !(event.currentTarget instanceof HTMLElement)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    this.#drag = { x: event.clientX, width: this.#frame.width };
    this.isDragged = true;
  };

  readonly #handleMove = ({ clientX }: PointerEvent): void => {
    if (this.#drag) this.#resize(this.#drag.width + (clientX - this.#drag.x) * this.#sign);
  };

  readonly #handleUp = (): void => {
    this.#drag = null;
    this.isDragged = false;
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    const { width } = this.#frame;
    const widthByKey: Readonly<Record<string, number | null>> = {
      ArrowLeft: width - step * this.#sign,
      ArrowRight: width + step * this.#sign,
      Home: widths.min,
      End: this.#maxWidth,
      Enter: null,
    };
    const next = widthByKey[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#resize(next);
  };
}

register('pa-chat-edge', PaChatEdge);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-edge': PaChatEdge;
  }
}
