/**
 * Focuses an element after a key press, with its focus ring. Without `focusVisible`, WebKit shows no ring if the viewer
 * last used the pointer, for example to open the menu.
 */
export function focusByKey(target: HTMLElement | SVGElement | null | undefined, options: FocusOptions = {}): void {
  target?.focus({ ...options, focusVisible: true });
}
