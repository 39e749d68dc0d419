/** The nearest element that a selector matches: the element itself or one around it, across shadow roots. */
export function closestAcross(element: Element, selector: string): Element | null {
  for (let inner = element; ; ) {
    const found = inner.closest(selector);
    if (found) return found;
    const root = inner.getRootNode();
    if (!(root instanceof ShadowRoot)) return null;
    inner = root.host;
  }
}
