import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Pick } from '../../../report/marks/mark.js';
import type { MarkWithTooltip, Tooltip } from '../../../report/marks/mark-with-tooltip.js';
import { focusByKey } from '../focus-by-key.js';
import { type Anchor, closePopover, openPopoverAt } from '../popover.js';

/** Options of the marks controller. */
export interface MarksOptions {
  /** Returns the marks in keyboard order. */
  readonly marks: () => readonly MarkWithTooltip[];
  readonly onPick: (pick: Pick) => void;
}

type Host = ReactiveControllerHost & { readonly renderRoot: HTMLElement | DocumentFragment };

/** Target index of each navigation key, clamped; other keys have no entry. */
const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: at => at + 1,
  ArrowDown: at => at + 1,
  ArrowLeft: at => at - 1,
  ArrowUp: at => at - 1,
  PageDown: at => at + 10,
  PageUp: at => at - 10,
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Pointer and keyboard interaction with the marks of a drawing. One mark is in the tab order, arrow keys move between
 * marks, Enter picks one, and the hovered or focused mark shows its tooltip.
 */
export class MarksController implements ReactiveController {
  readonly #host: Host;
  readonly #options: MarksOptions;
  #active = 0;
  #shown: { readonly index: number; readonly anchor: Anchor } | null = null;

  constructor(host: Host, options: MarksOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Index of the mark in the tab order. */
  get active(): number {
    return Math.min(this.#active, Math.max(0, this.#options.marks().length - 1));
  }

  /** The current tooltip; `null` if there is none. */
  get tooltip(): Tooltip | null {
    return this.#shown ? (this.#options.marks()[this.#shown.index]?.tooltip ?? null) : null;
  }

  hostUpdated(): void {
    const popover = this.#host.renderRoot.querySelector<HTMLElement>('.tooltip');
    if (!popover?.isConnected) return;
    if (this.#shown && this.tooltip) openPopoverAt(popover, this.#shown.anchor);
    else closePopover(popover);
  }

  hostDisconnected(): void {
    this.#shown = null;
  }

  /** Hides the tooltip after the marks were re-rendered. */
  clear(): void {
    this.#show(null);
  }

  /** Handles `pointermove` and `pointerdown`. */
  readonly handlePointer = (event: PointerEvent): void => {
    const index = indexOf(event.target);
    this.#show(index === null ? null : { index, anchor: pointOf(event) });
  };

  /** Handles `pointerleave`. Touch fires it after every tap, so the tooltip stays until the next tap. */
  readonly handleLeave = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch') this.#show(null);
  };

  /** Handles `click`. */
  readonly handleClick = (event: MouseEvent): void => {
    const index = indexOf(event.target);
    if (index === null) return;
    this.#active = index;
    this.#pick(index, { intent: 'choose', extend: isExtending(event), anchor: pointOf(event) });
    this.#host.requestUpdate();
  };

  /** Handles `contextmenu`, by pointer or key. */
  readonly handleMenu = (event: MouseEvent): void => {
    const index = indexOf(event.target);
    if (index === null) return;
    event.preventDefault();
    const byPointer = event instanceof PointerEvent && event.pointerType !== '';
    this.#pick(index, { intent: 'menu', extend: false, anchor: byPointer ? pointOf(event) : boxOf(event.target) });
  };

  /** Handles the focus of a mark. */
  readonly handleFocus = (event: FocusEvent): void => {
    const index = indexOf(event.target);
    if (index === null || !(event.target instanceof Element) || !event.target.matches(':focus-visible')) return;
    this.#active = index;
    this.#show({ index, anchor: boxOf(event.target) });
  };

  /** Handles the loss of focus. */
  readonly handleBlur = (): void => {
    this.#show(null);
  };

  /** Handles `keydown` on a mark. */
  readonly handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.#shown) {
      event.stopPropagation();
      this.#show(null);
      return;
    }
    const index = indexOf(event.target);
    if (index === null) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#pick(index, { intent: 'choose', extend: isExtending(event), anchor: boxOf(event.target) });
      return;
    }
    const step = event.altKey || event.ctrlKey || event.metaKey ? undefined : steps[event.key];
    if (!step) return;
    event.preventDefault();
    const last = this.#options.marks().length - 1;
    this.#focus(Math.max(0, Math.min(last, step(index, last))));
  };

  #focus(index: number): void {
    this.#active = index;
    this.#host.requestUpdate();
    focusByKey(this.#host.renderRoot.querySelector<SVGElement>(`[data-mark="${index}"]`));
  }

  #pick(index: number, { intent, extend, anchor }: Omit<Pick, 'mark'>): void {
    const picked = this.#options.marks()[index];
    if (picked) this.#options.onPick({ mark: picked.mark, intent, extend, anchor });
  }

  #show(shown: { readonly index: number; readonly anchor: Anchor } | null): void {
    if (!shown && !this.#shown) return;
    this.#shown = shown;
    this.#host.requestUpdate();
  }
}

/** Returns the index of the mark that an event targets; `null` if it targets none. */
function indexOf(target: EventTarget | null): number | null {
  const element = target instanceof Element ? target.closest('[data-mark]') : null;
  const index = Number(element?.getAttribute('data-mark') ?? Number.NaN);
  return Number.isInteger(index) ? index : null;
}

/** Whether a click or key adds a mark to the selection. */
function isExtending({ ctrlKey, metaKey, shiftKey }: MouseEvent | KeyboardEvent): boolean {
  return ctrlKey || metaKey || shiftKey;
}

function pointOf({ clientX, clientY }: MouseEvent): Anchor {
  return { left: clientX, right: clientX, top: clientY, bottom: clientY };
}

function boxOf(target: EventTarget | null): Anchor {
  const { left, right, top, bottom } = target instanceof Element ? target.getBoundingClientRect() : new DOMRect();
  return { left, right, top, bottom };
}
