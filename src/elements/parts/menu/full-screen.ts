/** What can have the focus: an element of HTML, or a mark of a drawing. */
export type FocusedElement = HTMLElement | SVGElement;

/** What has the focus on the page, inside of all shadow roots; null where nothing has. */
export function focusedElement(): FocusedElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (element === document.body) return null;
  return element instanceof HTMLElement || element instanceof SVGElement ? element : null;
}

const dialogs = new WeakMap<HTMLElement, HTMLDialogElement>();

/** Whether a frame fills the screen, or the window in a dialog. */
export function isFullScreen(frame: HTMLElement): boolean {
  return frame.matches(':fullscreen') || dialogs.has(frame);
}

/** Lets a frame fill the screen; where the browser or the page that embeds this one doesn't let it, the window. */
export async function enterFullScreen(frame: HTMLElement, label: string): Promise<void> {
  if (isFullScreen(frame)) return;
  try {
    await frame.requestFullscreen();
  } catch {
    openInDialog(frame, label);
  }
}

/** Gives the frame its place back. */
export async function leaveFullScreen(frame: HTMLElement): Promise<void> {
  dialogs.get(frame)?.close();
  if (frame.matches(':fullscreen')) await frame.ownerDocument.exitFullscreen();
}

/** A modal dialog stands in the frame's place and holds it: the frame's own elements are moved, not made again. */
function openInDialog(frame: HTMLElement, label: string): void {
  const opener = focusedElement();
  const dialog = frame.ownerDocument.createElement('dialog');
  dialog.className = 'full';
  dialog.ariaLabel = label;
  frame.before(dialog);
  dialog.append(frame);
  dialogs.set(frame, dialog);
  dialog.addEventListener('close', () => {
    // What is moved loses the focus.
    const focused = focusedElement();
    dialogs.delete(frame);
    dialog.replaceWith(frame);
    (focused && frame.contains(focused) ? focused : opener)?.focus();
  });
  dialog.showModal();
  opener?.focus();
}
