/** A chat that can be opened and closed. */
export interface PanelHost extends HTMLElement {
  readonly mode: 'inline' | 'panel' | 'docked';
  open: boolean;
  readonly renderRoot: HTMLElement | DocumentFragment;
}

/**
 * Opens and closes the popover of a panel, and moves the focus to the launcher when a chat that has the focus closes.
 */
export class ChatPanel {
  readonly #host: PanelHost;
  #wasOpened = false;
  /** Whether the chat is closing while it has focus. */
  #isFocusLeft = false;

  constructor(host: PanelHost) {
    this.#host = host;
  }

  /** Whether the chat has been visible at least once. */
  get wasOpened(): boolean {
    return this.#wasOpened;
  }

  close(): void {
    this.#host.open = false;
    this.#isFocusLeft = true;
  }

  /** Call it before the chat renders. @param isToggled - whether `open` has changed since the last rendering. */
  willUpdate({ isToggled }: { readonly isToggled: boolean }): void {
    const { mode, open, shadowRoot } = this.#host;
    if (mode === 'inline' || open) this.#wasOpened = true;
    else this.#isFocusLeft ||= isToggled && Boolean(shadowRoot?.activeElement);
  }

  /** Called after the chat has rendered. */
  updated(): void {
    const { open, renderRoot } = this.#host;
    const panel = renderRoot.querySelector<HTMLElement>('.frame[popover]');
    if (panel?.isConnected && panel.matches(':popover-open') !== open) panel.togglePopover(open);
    if (this.#isFocusLeft) renderRoot.querySelector<HTMLElement>('.launcher')?.focus();
    this.#isFocusLeft = false;
  }
}
