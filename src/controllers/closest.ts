/** Returns the nearest element that matches a selector: the element itself or an ancestor, across shadow roots. */
export function closestAcross(element: Element, selector: string): Element | null {
  for (let inner = element; ; ) {
    const found = inner.closest(selector);
    if (found) return found;
    const root = inner.getRootNode();
    if (!(root instanceof ShadowRoot)) return null;
    inner = root.host;
  }
}
