import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ChatContext } from '../../../controllers/chat/chat-controller.js';
import { type ChatStep, readControlsResult, ToolName } from '../../../controllers/chat/chat-result.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import type { PaDashboard } from '../../dashboard/dashboard-element.js';
import { chatTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { type MarkTarget, markTargetOf } from '../../parts/mark-target.js';
import { setTileItem } from '../../parts/menu/tile-items.js';
import { type PinTarget, pinTargetOf, watchPinTarget } from '../../parts/pin-target.js';
import { controls, tokens } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { contextMessages } from './context-messages.js';
import { type ControlChange, ControlChanges, changeSentences, type StepPlace } from './control-change.js';
import { contextOf, dashboardTitle, findDashboard, tileTitle } from './dashboard-context.js';

const contextCatalog = defineCatalog(contextMessages, chatTranslations('context'));

/** Events after which the title of a dashboard may have changed. */
const changes = ['pa-load', 'pa-filter-change'] as const;

/**
 * The dashboard and tile that the next message is about, as chips that the viewer can remove. Adds "Ask about this
 * tile" to the menus of the dashboard's tiles.
 *
 * @summary The context of the next message, inside a chat.
 * @tagname pa-chat-context
 */
export class PaChatContext extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
        flex: none;
      }
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
        max-inline-size: 840px;
        margin: 0 auto;
        padding: 4px 12px 6px;
        list-style: none;
      }
      li {
        min-inline-size: 0;
        max-inline-size: 100%;
      }
      button {
        display: flex;
        gap: 6px;
        align-items: center;
        max-inline-size: 100%;
        min-block-size: 32px;
        padding: 2px 10px;
        border-color: var(--_line);
        border-radius: 16px;
        background: color-mix(in srgb, var(--_accent) 10%, var(--_surface));
        font-size: 13px;
      }
      button.off {
        border-style: dashed;
        background: none;
        color: var(--_muted);
      }
      span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      @media (pointer: coarse) {
        button {
          min-block-size: 44px;
          border-radius: 22px;
        }
      }
    `,
  ];

  readonly #locale = new LocaleController(this, contextCatalog, () => this.locale);

  /** Id of the dashboard. */
  @property({ attribute: false }) dashboardId = '';
  /** Language of the chat. */
  @property({ attribute: false }) locale: string | null = null;
  /** Whether the agent may set the controls of the dashboard. */
  @property({ attribute: false }) canSetControls = true;
  /** Opens the chat and moves focus to its composer. */
  @property({ attribute: false }) onAsk: () => void = () => {};

  /** Called when the dashboard starts or stops accepting pinned answers. */
  @property({ attribute: false }) onPins: () => void = () => {};

  @state() private isOff = false;
  @state() private widgetId: string | null = null;

  #dashboard: PaDashboard | null = null;
  #unwatchPins: (() => void) | null = null;
  /** Number of the thread whose last message allowed the answer to set controls; `null` if there is none. */
  #controllingThread: number | null = null;
  readonly #changes = new ControlChanges();

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#follow(null);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.isConnected) return;
    if (changed.has('dashboardId')) this.widgetId = null;
    const host = this.getRootNode();
    const dashboard = host instanceof ShadowRoot ? findDashboard(host.host, this.dashboardId) : null;
    this.#follow(dashboard);
    if (dashboard)
      setTileItem(dashboard, 'chat', { label: this.#locale.value.messages.askAboutTile, run: this.#handleAsk });
  }

  /**
   * Returns the context for the next message; `null` if there is none. The chosen tile applies to that message only.
   * @param thread - `ChatController.thread` of the open thread.
   */
  take(thread: number): ChatContext | null {
    const dashboard = this.#dashboard;
    this.#controllingThread = null;
    if (!dashboard?.publicId || this.isOff) return null;
    const context = contextOf(dashboard, this.widgetId);
    this.widgetId = null;
    if (!this.canSetControls) return context;
    this.#controllingThread = thread;
    return { ...context, canSetControls: true };
  }

  /**
   * Sets the controls of the dashboard to the values in a step. Ignores answers to messages that this page did not
   * send.
   */
  apply(step: ChatStep, thread: number): void {
    if (step.name !== ToolName.setDashboardControls || step.status !== 'done') return;
    if (!this.#dashboard || !this.canSetControls || thread !== this.#controllingThread) return;
    this.#changes.apply({ thread, stepId: step.id }, readControlsResult(step.result), this.#dashboard);
  }

  /** Returns the change that a step made; `null` if it made none on this page. */
  changeOf(place: StepPlace): ControlChange | null {
    return this.#changes.of(place);
  }

  /** Describes the change that a step made, in the language of the chat; `null` if it made none on this page. */
  describeChange(place: StepPlace): string | null {
    const change = this.#changes.of(place);
    return change?.status === 'applied' ? changeSentences(change, this.#locale.value.messages).join(', ') : null;
  }

  /** The dashboard as a target for answers; `null` if the viewer may not pin any. */
  get pinTarget(): PinTarget | null {
    return this.#dashboard && pinTargetOf(this.#dashboard);
  }

  /** The dashboard as a target for marks of answers; `null` if there is none. */
  get markTarget(): MarkTarget | null {
    return this.#dashboard && markTargetOf(this.#dashboard);
  }

  override render(): TemplateResult | typeof nothing {
    const dashboard = this.#dashboard;
    if (!dashboard) return nothing;
    const { messages } = this.#locale.value;
    const title = dashboardTitle(dashboard) || messages.dashboard;
    const tile = this.widgetId === null ? null : tileTitle(dashboard, this.widgetId);
    return html`<ul aria-label=${messages.context}>
      <li>${this.isOff ? this.#renderOff(title) : this.#renderChip(title, this.#handleRemove)}</li>
      ${tile === null ? nothing : html`<li>${this.#renderChip(tile, this.#handleRemoveTile)}</li>`}
    </ul>`;
  }

  #renderChip(title: string, remove: () => void): TemplateResult {
    const label = this.#locale.value.messages.remove(title);
    return html`<button part="button" type="button" aria-label=${label} title=${label} @click=${remove}>
      <span dir="auto">${title}</span><span aria-hidden="true">×</span>
    </button>`;
  }

  #renderOff(title: string): TemplateResult {
    const label = this.#locale.value.messages.add(title);
    return html`<button part="button" class="off" type="button" @click=${this.#handleAdd}>
      <span aria-hidden="true">+</span><span>${label}</span>
    </button>`;
  }

  #follow(dashboard: PaDashboard | null): void {
    if (dashboard === this.#dashboard) return;
    for (const type of changes) this.#dashboard?.removeEventListener(type, this.#handleChange);
    if (this.#dashboard) setTileItem(this.#dashboard, 'chat', null);
    this.#dashboard = dashboard;
    this.#unwatchPins?.();
    this.#unwatchPins = dashboard && watchPinTarget(dashboard, () => this.onPins());
    this.onPins();
    for (const type of changes) dashboard?.addEventListener(type, this.#handleChange);
    this.requestUpdate();
  }

  readonly #handleChange = (): void => this.requestUpdate();

  readonly #handleAsk = ({ widgetId }: { readonly widgetId: string | null }): void => {
    this.isOff = false;
    this.widgetId = widgetId;
    this.onAsk();
  };

  readonly #handleAdd = (): void => {
    this.isOff = false;
  };

  readonly #handleRemove = (): void => {
    this.isOff = true;
    this.widgetId = null;
  };

  readonly #handleRemoveTile = (): void => {
    this.widgetId = null;
  };
}

register('pa-chat-context', PaChatContext);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-context': PaChatContext;
  }
}
