/** An element that can have focus: an HTML element, or a mark of an SVG drawing. */
export type FocusedElement = HTMLElement | SVGElement;

/** Returns the focused element, across all shadow roots; `null` if none. */
export function focusedElement(): FocusedElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (element === document.body) return null;
  return element instanceof HTMLElement || element instanceof SVGElement ? element : null;
}

const dialogs = new WeakMap<HTMLElement, HTMLDialogElement>();

/** Whether an element is in full screen, or in a full-window dialog. */
export function isFullScreen(frame: HTMLElement): boolean {
  return frame.matches(':fullscreen') || dialogs.has(frame);
}

/** Opens an element in full screen, or in a full-window dialog if full screen is not allowed. */
export async function enterFullScreen(frame: HTMLElement, label: string): Promise<void> {
  if (isFullScreen(frame)) return;
  try {
    await frame.requestFullscreen();
  } catch {
    openInDialog(frame, label);
  }
}

/** Exits full screen and restores the element's position. */
export async function leaveFullScreen(frame: HTMLElement): Promise<void> {
  dialogs.get(frame)?.close();
  if (frame.matches(':fullscreen')) await frame.ownerDocument.exitFullscreen();
}

/** Moves the element into a modal dialog at its position, without re-creating its content. */
function openInDialog(frame: HTMLElement, label: string): void {
  const opener = focusedElement();
  const dialog = frame.ownerDocument.createElement('dialog');
  dialog.className = 'full';
  dialog.ariaLabel = label;
  frame.before(dialog);
  dialog.append(frame);
  dialogs.set(frame, dialog);
  dialog.addEventListener('close', () => {
    // Remember the focused element, because moved elements lose focus.
    const focused = focusedElement();
    dialogs.delete(frame);
    dialog.replaceWith(frame);
    (focused && frame.contains(focused) ? focused : opener)?.focus();
  });
  dialog.showModal();
  opener?.focus();
}
