import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { focusByKey } from '../../parts/focus-by-key.js';
import { menuStyles } from '../../parts/menu/menu.styles.js';
import { placeMenu } from '../../parts/menu/menu-position.js';
import { nextItem } from '../../parts/menu/next-item.js';
import { register } from '../../register.js';
import { type CreatorIcon, icon } from '../creator-icons.js';

/** An action of a menu. */
export interface MenuAction {
  readonly label: string;
  readonly icon: CreatorIcon;
  readonly run: () => void;
  readonly isDangerous?: boolean;
}

const actionMenuStyles = css`
  :host {
    display: inline-flex;
  }
  button.trigger {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    inline-size: 32px;
    padding: 0;
    border-radius: var(--_control-radius);
    color: var(--_muted);
  }
  button.trigger:hover,
  button.trigger[aria-expanded='true'] {
    background: color-mix(in srgb, var(--_text) 8%, transparent);
    color: var(--_text);
  }
  [popover] button {
    display: flex;
    gap: 8px;
    align-items: center;
  }
  [popover] svg {
    flex: none;
    color: var(--_muted);
  }
  .danger,
  [popover] .danger svg {
    color: var(--_danger);
  }
  @media (pointer: coarse) {
    button.trigger {
      inline-size: 44px;
    }
  }
`;

/**
 * A button that opens a menu, with the WAI-ARIA pattern of a menu button: arrow keys, Home, End and letters move
 * between items, Escape closes the menu and restores focus.
 *
 * @summary The menu of an item in the workspace or editor.
 * @tagname pa-action-menu
 */
class PaActionMenu extends LitElement {
  static override styles = [menuStyles, actionMenuStyles];

  /** Label of the button and the menu. */
  @property({ attribute: false }) label = '';
  /** The actions, in order. */
  @property({ attribute: false }) actions: readonly MenuAction[] = [];

  /** Focuses the button. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('.trigger')?.focus();
  }

  override render(): TemplateResult {
    return html`<button
        type="button"
        class="trigger"
        aria-label=${this.label}
        title=${this.label}
        aria-haspopup="menu"
        aria-expanded="false"
        @click=${this.#handleOpen}
      >
        ${icon('dots')}
      </button>
      <div popover="auto" role="menu" aria-label=${this.label} @keydown=${this.#handleKey} @toggle=${this.#handleToggle}>
        ${this.actions.map(
          action => html`<button
            type="button"
            role="menuitem"
            tabindex="-1"
            class=${action.isDangerous ? 'danger' : nothing}
            @click=${() => this.#handleAction(action)}
          >
            ${icon(action.icon)} ${action.label}
          </button>`,
        )}
      </div>`;
  }

  readonly #handleOpen = (): void => {
    const [menu, trigger] = [this.#menu, this.#trigger];
    if (!menu || !trigger) return;
    menu.showPopover();
    placeMenu(menu, trigger.getBoundingClientRect(), 'end');
    this.#items[0]?.focus();
  };

  readonly #handleToggle = ({ newState }: ToggleEvent): void => {
    this.#trigger?.setAttribute('aria-expanded', String(newState === 'open'));
  };

  #handleAction(action: MenuAction): void {
    this.#close();
    action.run();
  }

  #handleKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === 'Tab') this.#close();
    const items = this.#items;
    const labels = items.map(item => item.textContent ?? '');
    const current = items.findIndex(item => item.matches(':focus'));
    const next = nextItem(event, labels, current);
    if (next === null) return;
    event.preventDefault();
    focusByKey(items[next]);
  }

  #close(): void {
    if (this.#menu?.matches(':popover-open')) this.#menu.hidePopover();
    this.focus();
  }

  get #menu(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('[role=menu]');
  }

  get #trigger(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('.trigger');
  }

  get #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role=menuitem]')];
  }
}

register('pa-action-menu', PaActionMenu);

declare global {
  interface HTMLElementTagNameMap {
    'pa-action-menu': PaActionMenu;
  }
}
