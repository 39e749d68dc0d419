import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import { dashboardTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { focusByKey } from '../focus-by-key.js';
import { heading } from '../heading.js';
import { notice } from '../notice.js';
import { noticeStyles } from '../notice.styles.js';
import { containerStyles } from './container.styles.js';
import { containerMessages } from './container-messages.js';

/** Message catalog of containers, and of widgets that cannot be shown. */
export const containerCatalog = defineCatalog(containerMessages, dashboardTranslations('container'));

/** A tab of a container; its content is in the slot `tab-<index>`. */
export interface ContainerTab {
  readonly id: string;
  /** Empty if the tab has no title. */
  readonly title: string;
  /** Whether the tab was opened at least once. */
  readonly opened: boolean;
}

/**
 * The frame of a container: its heading and tabs. Its children belong to the dashboard that contains it. Tabs follow
 * the WAI-ARIA pattern with manual activation, because opening a tab runs queries.
 *
 * @summary The frame of a container, inside a dashboard.
 * @tagname pa-container
 * @slot - Content of a container without tabs.
 * @csspart heading - The heading.
 * @csspart tabs - The tab bar.
 * @csspart tab - A tab; the selected one is also `tab-open`.
 * @csspart panel - A tab panel.
 */
export class PaContainer extends LitElement {
  static override styles = [noticeStyles, containerStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, containerCatalog, () => this.#outer.value.locale);

  /** Heading; empty if there is none. */
  @property({ attribute: false }) heading = '';
  /** Level of the heading. */
  @property({ attribute: false }) level = 3;
  /** Tabs; `null` if the container has none. */
  @property({ attribute: false }) tabs: readonly ContainerTab[] | null = null;
  /** Id of the selected tab. */
  @property({ attribute: false }) open: string | null = null;
  /** Whether the container has no children. */
  @property({ attribute: false }) empty = false;
  /** Called with the id of a tab when the viewer opens it. */
  @property({ attribute: false }) onOpen: (id: string) => void = () => {};

  /** Index of the tab with `tabindex="0"` while the tab bar has the focus. Otherwise, the selected tab has it. */
  @state() private focusable: number | null = null;

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('open')) this.#reveal();
  }

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    return html`${this.heading ? heading(this.level, 'heading', this.heading) : nothing}
      ${this.empty ? notice(messages.empty) : this.#renderContent()}`;
  }

  #renderContent(): TemplateResult {
    return this.tabs ? this.#renderTabs(this.tabs) : this.#renderBody();
  }

  #renderBody(): TemplateResult {
    return html`<div class="body"><slot></slot></div>`;
  }

  #renderTabs(tabs: readonly ContainerTab[]): TemplateResult {
    const { locale, messages } = this.#locale.value;
    const numbers = new Intl.NumberFormat(locale);
    const titles = tabs.map(({ title }, index) => title || messages.tab(numbers.format(index + 1)));
    const focusable = this.focusable ?? tabs.findIndex(({ id }) => id === this.open);
    return html`<div
        part="tabs"
        class="tabs"
        role="tablist"
        aria-label=${this.heading || messages.tabs}
        @keydown=${this.#handleKey}
        @focusout=${this.#handleFocusOut}
      >
        ${tabs.map(({ id }, index) => this.#renderTab(id, titles[index] ?? '', index, index === focusable ? '0' : '-1'))}
      </div>
      <div class="body">${tabs.map((tab, index) => this.#renderPanel(tab, titles[index] ?? '', index))}</div>`;
  }

  #renderTab(id: string, title: string, index: number, tabindex: '0' | '-1'): TemplateResult {
    const isOpen = id === this.open;
    return html`<button
      part=${isOpen ? 'tab tab-open' : 'tab'}
      id=${`tab-${index}`}
      type="button"
      role="tab"
      title=${title}
      tabindex=${tabindex}
      aria-selected=${isOpen ? 'true' : 'false'}
      aria-controls=${`panel-${index}`}
      @click=${() => this.onOpen(id)}
    >
      ${title}
    </button>`;
  }

  #renderPanel({ id, opened }: ContainerTab, title: string, index: number): TemplateResult {
    return html`<div
      part="panel"
      class=${opened ? 'panel' : 'panel unopened'}
      id=${`panel-${index}`}
      role="tabpanel"
      tabindex="0"
      aria-labelledby=${`tab-${index}`}
      ?inert=${id !== this.open}
    >
      ${heading(this.level + 1, nothing, title)}
      <slot name=${`tab-${index}`}></slot>
    </div>`;
  }

  #handleKey(event: KeyboardEvent): void {
    const buttons = this.#buttons;
    const from = event.target instanceof HTMLButtonElement ? buttons.indexOf(event.target) : -1;
    const isRtl = getComputedStyle(this).direction === 'rtl';
    const to = target(event.key, from, buttons.length, isRtl ? 'rtl' : 'ltr');
    if (from < 0 || to === null) return;
    event.preventDefault();
    this.focusable = to;
    focusByKey(buttons[to]);
  }

  #handleFocusOut(event: FocusEvent): void {
    if (!this.#buttons.some(button => button === event.relatedTarget)) this.focusable = null;
  }

  /** Scrolls only the tab bar, not the page. */
  #reveal(): void {
    const bar = this.renderRoot.querySelector('.tabs');
    const tab = this.renderRoot.querySelector('[aria-selected="true"]');
    if (!bar || !tab || bar.scrollWidth <= bar.clientWidth) return;
    const [outer, inner] = [bar.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (inner.left < outer.left) bar.scrollBy({ left: inner.left - outer.left, behavior: 'instant' });
    else if (inner.right > outer.right) bar.scrollBy({ left: inner.right - outer.right, behavior: 'instant' });
  }

  get #buttons(): readonly HTMLButtonElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLButtonElement>('[role="tab"]')];
  }
}

/** Returns the index of the tab that a key moves to; `null` for other keys. */
function target(key: string, from: number, number: number, direction: 'ltr' | 'rtl'): number | null {
  const [next, last] = direction === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  if (key === next) return (from + 1) % number;
  if (key === last) return (from + number - 1) % number;
  if (key === 'Home') return 0;
  return key === 'End' ? number - 1 : null;
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-container': PaContainer;
  }
}
