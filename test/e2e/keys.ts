import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

// What tests do with the keyboard alone.

/** As many stops as any page of the demo has, and some more. */
const mostStops = 80;

/** Where the focus is, as somebody sees it. */
interface SeenFocus {
  /** A ring, or a line as wide as one, stands around what has the focus. */
  readonly ring: boolean;
  /** The ring lies in the window, and nothing over it. */
  readonly seen: boolean;
}

/** Presses keys one after another. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Goes on by Tab (or back by Shift+Tab) until something has the focus, as it must be seen to have. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let stops = 0; stops < mostStops; stops += 1) {
    await page.keyboard.press(key);
    if (await isFocused(target)) return expectFocus(target);
  }
  throw new Error(`${key} leads to no ${target}`);
}

/** Something has the focus, and whoever looks at the page sees that it has. */
export async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => isFocused(target), { message: `the focus is on ${target}` }).toBe(true);
  await expect
    .poll(() => seenFocus(target), { message: `${target} is seen to have the focus` })
    .toEqual({
      ring: true,
      seen: true,
    });
}

const isFocused = async (target: Locator): Promise<boolean> =>
  (await target.count()) === 1 &&
  target.evaluate(element => {
    const root = element.getRootNode();
    return (root instanceof ShadowRoot || root instanceof Document) && root.activeElement === element;
  });

/** Looks for the ring where it may stand: on the element itself, its label, or the cell or mark that it has the keys stand on. */
const seenFocus = (target: Locator): Promise<SeenFocus> =>
  target.evaluate(element => {
    const root = element.getRootNode() as ShadowRoot;
    const isDrawn = (color: string): boolean => color !== 'transparent' && !/, 0\)$/.test(color);
    const hasRing = (candidate: Element): boolean => {
      const { outlineStyle, outlineWidth, outlineColor, stroke, strokeWidth, strokeOpacity } =
        getComputedStyle(candidate);
      const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && isDrawn(outlineColor);
      const isStroked =
        candidate instanceof SVGElement &&
        stroke !== 'none' &&
        Number.parseFloat(strokeWidth) >= 2 &&
        Number.parseFloat(strokeOpacity) > 0.5;
      return isOutlined || isStroked;
    };
    const active = root.getElementById(element.getAttribute('aria-activedescendant') ?? '');
    const ringed = [active, element.closest('label'), element].find(one => one !== null && hasRing(one));
    if (!ringed) return { ring: false, seen: false };
    const { left, right, top, bottom } = ringed.getBoundingClientRect();
    const [start, end] = [Math.max(left, 0), Math.min(right, innerWidth)];
    const [above, below] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
    if (start >= end || above >= below) return { ring: true, seen: false };
    // A mark of a drawing may lie around its middle.
    if (ringed instanceof SVGElement) return { ring: true, seen: true };
    let over = document.elementFromPoint((start + end) / 2, (above + below) / 2);
    while (over?.shadowRoot) {
      const inner = over.shadowRoot.elementFromPoint((start + end) / 2, (above + below) / 2);
      if (!inner || inner === over) break;
      over = inner;
    }
    for (let node: Node | null = over; node; node = node instanceof ShadowRoot ? node.host : node.parentNode) {
      if (node === ringed) return { ring: true, seen: true };
    }
    return { ring: true, seen: false };
  });
