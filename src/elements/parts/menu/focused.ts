/** What can have the focus: an element of HTML, or a mark of a drawing. */
export type FocusedElement = HTMLElement | SVGElement;

/** What has the focus on the page, inside of all shadow roots; null where nothing has. */
export function focusedElement(): FocusedElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (element === document.body) return null;
  return element instanceof HTMLElement || element instanceof SVGElement ? element : null;
}
