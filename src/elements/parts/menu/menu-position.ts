import type { Anchor } from '../popover.js';

const gap = 4;

/**
 * Puts a menu that is open below its anchor, or above where there is no room; its start under the start of a mark, its end under the end
 * of a button that stands at the end of a line; always inside the window.
 */
export function placeMenu(menu: HTMLElement, anchor: Anchor, align: 'start' | 'end'): void {
  const { width, height } = menu.getBoundingClientRect();
  const isLeft = (align === 'start') === (getComputedStyle(menu).direction === 'ltr');
  const left = isLeft ? anchor.left : anchor.right - width;
  const below = anchor.bottom + gap;
  const top = below + height <= innerHeight - gap ? below : anchor.top - gap - height;
  menu.style.setProperty('left', `${between(gap, left, document.documentElement.clientWidth - width - gap)}px`);
  menu.style.setProperty('top', `${between(gap, top, innerHeight - height - gap)}px`);
}

function between(low: number, value: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
