import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Mark, Pick } from '../../../report/marks/mark.js';
import { focusByKey } from '../focus-by-key.js';
import { type Anchor, closePopover, openPopoverAt } from '../popover.js';
import type { Tooltip } from '../tooltip.js';

/** What can be pointed at. Its element carries the place that it has in the list (`data-mark`). */
export interface DrawnMark {
  readonly mark: Mark;
  readonly tooltip: Tooltip;
}

/** What a controller of marks needs from its host. */
export interface MarksOptions {
  /** The marks, in the order of the keys. */
  readonly marks: () => readonly DrawnMark[];
  readonly onPick: (pick: Pick) => void;
}

type Host = ReactiveControllerHost & { readonly renderRoot: HTMLElement | DocumentFragment };

/** Where the arrows lead from a place in a list, clamped; null for other keys. */
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
 * Pointer and keyboard over the marks of a drawing: one of them is in the tab order, arrows lead through all, Enter chooses, and what
 * is pointed at or focused shows its tooltip.
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

  /** Place of the mark that is in the tab order. */
  get active(): number {
    return Math.min(this.#active, Math.max(0, this.#options.marks().length - 1));
  }

  /** What the tooltip says; null when there is none. */
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

  /** Marks were drawn anew: what the tooltip said may be gone. */
  clear(): void {
    this.#show(null);
  }

  /** The pointer moved, or went down. */
  readonly handlePointer = (event: PointerEvent): void => {
    const index = indexOf(event.target);
    this.#show(index === null ? null : { index, anchor: pointOf(event) });
  };

  /** The pointer left. A finger leaves with every tap; what it asked for stays until the next. */
  readonly handleLeave = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch') this.#show(null);
  };

  /** Something was clicked. */
  readonly handleClick = (event: MouseEvent): void => {
    const index = indexOf(event.target);
    if (index === null) return;
    this.#active = index;
    this.#pick(index, 'choose', event.ctrlKey || event.metaKey || event.shiftKey, pointOf(event));
    this.#host.requestUpdate();
  };

  /** The menu was asked for, by pointer or key. */
  readonly handleMenu = (event: MouseEvent): void => {
    const index = indexOf(event.target);
    if (index === null) return;
    event.preventDefault();
    const byPointer = event instanceof PointerEvent && event.pointerType !== '';
    this.#pick(index, 'menu', false, byPointer ? pointOf(event) : boxOf(event.target));
  };

  /** A mark has the focus. */
  readonly handleFocus = (event: FocusEvent): void => {
    const index = indexOf(event.target);
    if (index === null || !(event.target instanceof Element) || !event.target.matches(':focus-visible')) return;
    this.#active = index;
    this.#show({ index, anchor: boxOf(event.target) });
  };

  /** The focus went elsewhere. */
  readonly handleBlur = (): void => {
    this.#show(null);
  };

  /** A key was pressed on a mark. */
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
      this.#pick(index, 'choose', event.ctrlKey || event.metaKey || event.shiftKey, boxOf(event.target));
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

  #pick(index: number, intent: Pick['intent'], extend: boolean, anchor: Anchor): void {
    const drawn = this.#options.marks()[index];
    if (drawn) this.#options.onPick({ mark: drawn.mark, intent, extend, anchor });
  }

  #show(shown: { readonly index: number; readonly anchor: Anchor } | null): void {
    if (!shown && !this.#shown) return;
    this.#shown = shown;
    this.#host.requestUpdate();
  }
}

/** Place of the mark that an event is about; null for what is none. */
function indexOf(target: EventTarget | null): number | null {
  const element = target instanceof Element ? target.closest('[data-mark]') : null;
  const index = Number(element?.getAttribute('data-mark') ?? Number.NaN);
  return Number.isInteger(index) ? index : null;
}

function pointOf({ clientX, clientY }: MouseEvent): Anchor {
  return { left: clientX, right: clientX, top: clientY, bottom: clientY };
}

function boxOf(target: EventTarget | null): Anchor {
  const { left, right, top, bottom } = target instanceof Element ? target.getBoundingClientRect() : new DOMRect();
  return { left, right, top, bottom };
}
