import type { Anchor } from '../popover.js';

const gap = 4;

/**
 * Positions an open menu below its anchor, or above if there is no space. `start` aligns it with the start of a mark,
 * `end` with the end of a button at the end of a line. The menu always stays inside the window.
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
