import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

// Helpers for keyboard tests.

/** Maximum number of Tab presses, which is more than the tab stops of any demo page. */
const maxStops = 80;

/** Visibility of the focus. */
interface FocusVisibility {
  /** The focused element has a focus ring or a similar outline. */
  readonly ring: boolean;
  /** The ring is inside the viewport and not covered. */
  readonly seen: boolean;
}

/** Presses keys in sequence. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Presses Tab (or Shift+Tab) until the target has visible focus. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let stops = 0; stops < maxStops; stops += 1) {
    await page.keyboard.press(key);
    if (await isFocused(target)) return expectFocus(target);
  }
  throw new Error(`${key} does not reach ${target}`);
}

/** Waits until the target has visible focus. */
export async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => isFocused(target), { message: `the focus is on ${target}` }).toBe(true);
  await expect
    .poll(() => focusVisibility(target), { message: `${target} is seen to have the focus` })
    .toEqual({
      ring: true,
      seen: true,
    });
}

/** Finds the target with one query, because a search by role computes the names of all elements of the page. */
const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluateAll(elements => {
    const [element] = elements;
    const root = element?.getRootNode();
    return (
      elements.length === 1 &&
      (root instanceof ShadowRoot || root instanceof Document) &&
      root.activeElement === element
    );
  });

/** Checks for a ring on the element, its label, or its active cell or mark. */
const focusVisibility = (target: Locator): Promise<FocusVisibility> =>
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
    // The center of a chart mark may be outside its shape, so do not test which element covers it.
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
