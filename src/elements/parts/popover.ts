import { css } from 'lit';

/** A rectangle in the viewport, in CSS px. */
export interface Anchor {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const gap = 8;

/** Opens a popover above its anchor, or below if there is no space; always inside the window. */
export function openPopoverAt(popover: HTMLElement, anchor: Anchor): void {
  if (!popover.matches(':popover-open')) popover.showPopover();
  const { width, height } = popover.getBoundingClientRect();
  const above = anchor.top - gap - height;
  const left = (anchor.left + anchor.right - width) / 2;
  const top = above >= gap ? above : anchor.bottom + gap;
  popover.style.setProperty('left', `${between(gap, left, document.documentElement.clientWidth - width - gap)}px`);
  popover.style.setProperty('top', `${between(gap, top, innerHeight - height - gap)}px`);
}

/** Closes a popover if it is open. */
export function closePopover(popover: HTMLElement): void {
  if (popover.matches(':popover-open')) popover.hidePopover();
}

function between(low: number, value: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

/** Styles of hints and tooltips. */
export const popoverStyles = css`
  [popover] {
    position: fixed;
    inset: auto;
    box-sizing: border-box;
    max-inline-size: min(280px, calc(100vw - 16px));
    margin: 0;
    padding: 8px 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    box-shadow: 0 4px 16px rgb(0 0 0 / 16%);
    color: var(--_text);
    font: 400 12px/1.5 var(--_font);
    white-space: normal;
    overflow: hidden;
    pointer-events: none;
  }
`;
