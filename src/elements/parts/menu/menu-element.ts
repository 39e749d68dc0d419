import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { focusByKey } from '../focus-by-key.js';
import type { MenuRequest, TileContext } from '../tile/tile-host.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { type FocusedElement, focusedElement, isFullScreen } from './full-screen.js';
import { menuStyles } from './menu.styles.js';
import { menuCatalog } from './menu-catalog.js';
import { entryLabel, type MenuEntry, markEntries, markStateOf, runEntry, tileEntries } from './menu-entries.js';
import { placeMenu } from './menu-position.js';
import { nextItem } from './next-item.js';

/**
 * The menus of a tile, with the WAI-ARIA pattern of a menu button: arrow keys, Home, End and letters move between
 * items, Escape closes the menu and restores focus. The element stays in the tile after the first use and announces the
 * result of a command.
 *
 * @summary The menus of a tile and of its marks.
 * @tagname pa-tile-menu
 * @csspart menu - The menu.
 * @csspart menu-item - A menu item.
 */
export class PaTileMenu extends LitElement {
  static override styles = [visuallyHiddenStyles, menuStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, menuCatalog, () => this.#outer.value.locale);

  /** The tile. */
  @property({ attribute: false }) context: TileContext | null = null;
  /** Subject of the menu; `null` while it is closed. */
  @property({ attribute: false }) request: MenuRequest | null = null;
  /** Called when the menu closes or has no items. */
  @property({ attribute: false }) onClose: () => void = () => {};

  @state() private entries: readonly MenuEntry[] = [];
  @state() private announcement = '';

  /** The element that had focus before the menu opened. */
  #opener: FocusedElement | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('request')) return;
    this.entries = this.request && this.context ? this.#entriesOf(this.context, this.request) : [];
    if (this.request) this.announcement = '';
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('request')) return;
    const menu = this.#menu;
    if (!menu) return;
    if (!this.request) {
      if (menu.matches(':popover-open')) menu.hidePopover();
    } else if (this.entries.length === 0) this.onClose();
    else this.#open(menu, this.request);
  }

  override render(): TemplateResult {
    return html`<div
        part="menu"
        popover="auto"
        role="menu"
        aria-label=${this.context?.heading || nothing}
        @keydown=${this.#handleKey}
        @toggle=${this.#handleToggle}
      >
        ${this.entries.map((entry, index) => this.#renderEntry(entry, this.entries[index - 1]))}
      </div>
      <div class="unseen" role="status">${this.announcement}</div>`;
  }

  #renderEntry(entry: MenuEntry, before: MenuEntry | undefined): TemplateResult {
    const { messages } = this.#locale.value;
    const label = entryLabel(entry, messages);
    return html`${before && before.type !== entry.type ? html`<div role="separator"></div>` : nothing}${
      entry.type === 'link' && entry.link.type === 'url'
        ? html`<a
            part="menu-item"
            role="menuitem"
            tabindex="-1"
            href=${entry.link.href}
            target="_blank"
            rel="noopener noreferrer"
            @click=${this.#close}
            >${label}<span class="unseen"> (${messages.newTab})</span></a
          >`
        : html`<button part="menu-item" type="button" role="menuitem" tabindex="-1" @click=${() => void this.#run(entry)}>
            ${label}
          </button>`
    }`;
  }

  #entriesOf(context: TileContext, { mark, intent }: MenuRequest): readonly MenuEntry[] {
    if (mark) {
      const state = markStateOf(context, mark);
      const isQuiet = intent === 'choose' && !state.drillable && state.links.length === 0;
      return isQuiet ? [] : markEntries(context, mark, state);
    }
    const frame = context.tools.frame();
    return tileEntries(context, { full: frame !== null && isFullScreen(frame) });
  }

  #open(menu: HTMLElement, { anchor, mark }: MenuRequest): void {
    this.#opener = focusedElement();
    if (!menu.matches(':popover-open')) menu.showPopover();
    placeMenu(menu, anchor, mark ? 'start' : 'end');
    this.#items[0]?.focus();
  }

  /** Closes the menu, which restores the focus, then runs the command, which may move it. */
  async #run(entry: MenuEntry): Promise<void> {
    const { context, request } = this;
    this.#close();
    if (!context || !request) return;
    const result = await runEntry(entry, context, { mark: request.mark, locale: this.#outer.value.locale });
    if (result !== null) this.announcement = this.#locale.value.messages[result];
  }

  readonly #close = (): void => {
    const menu = this.#menu;
    if (menu?.matches(':popover-open')) menu.hidePopover();
    this.#restoreFocus();
  };

  readonly #handleToggle = (event: ToggleEvent): void => {
    if (event.newState !== 'closed') return;
    this.#restoreFocus();
    this.onClose();
  };

  /** Restores focus unless it has moved elsewhere. */
  #restoreFocus(): void {
    const focused = focusedElement();
    if (!focused || this.#menu?.contains(focused)) this.#opener?.focus();
    this.#opener = null;
  }

  #handleKey(event: KeyboardEvent): void {
    // Prevents the handlers of the tile from reacting to keys of the menu.
    event.stopPropagation();
    if (event.key === 'Tab') this.#close();
    const items = this.#items;
    const labels = items.map(item => item.textContent ?? '');
    const next = nextItem(
      event,
      labels,
      items.findIndex(item => item.matches(':focus')),
    );
    if (next === null) return;
    event.preventDefault();
    focusByKey(items[next]);
  }

  get #menu(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('[part=menu]');
  }

  get #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role=menuitem]')];
  }
}

register('pa-tile-menu', PaTileMenu);

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-menu': PaTileMenu;
  }
}
