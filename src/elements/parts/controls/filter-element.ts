import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { FilterCondition } from '../../../contract/widget-config.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { FilterState } from '../../../report/controls/control-state.js';
import type { Choice } from '../../../report/controls/controls.js';
import { conditionFilters } from '../../../report/controls/filter-condition.js';
import type { ModelFacts } from '../../../report/controls/model-facts.js';
import { filterLabel, typeOfControl, withNames } from '../../messages/control-label.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { placeMenu } from '../menu/menu-position.js';
import { retryLoad } from '../retry-load.js';
import { controls } from '../tokens.styles.js';
import { chipClass, chipText, fixedChip } from './chip.js';
import { chipArrowStyles, chipStyles, filterStyles } from './chip.styles.js';
import type { ControlActions } from './control-actions.js';
import { controlsCatalog } from './controls-catalog.js';

/** Matches windows in which the panel is a sheet. The styles use the same query. */
const sheetWidth = '(width < 600px)';

/**
 * A filter as a chip labeled with a sentence. Its panel is lazy-loaded when first opened.
 *
 * @summary One filter, inside the bar of controls.
 * @tagname pa-filter
 * @csspart control - The chip.
 * @csspart panel - The panel that it opens.
 */
export class PaFilter extends LitElement {
  static override styles = [controls, chipStyles, chipArrowStyles, filterStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleConsumer(this, controlsCatalog);

  /** The filter and its current condition. */
  @property({ attribute: false }) state: FilterState | null = null;
  /** Choices for the whole dashboard. */
  @property({ attribute: false }) choices: readonly Choice[] = [];
  /** Metadata of members; `null` until it is loaded. */
  @property({ attribute: false }) model: ModelFacts | null = null;
  /** The session that loads the values. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Receives the viewer's choices. */
  @property({ attribute: false }) chooser: ControlActions | null = null;

  @state() private open = false;

  /** Repositions the panel when loaded content changes its size. */
  readonly #resized = new ResizeObserver(() => this.#place());
  /** Whether the panel was opened by touch. */
  #isTouched = false;

  constructor() {
    super();
    // An open panel must not cover the focused element, so it closes when the focus leaves by Tab.
    this.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget && this.open) this.#panel?.hidePopover();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  override render(): TemplateResult | typeof nothing {
    const { state } = this;
    if (!state) return nothing;
    const { locale, messages: words } = this.#locale.value;
    const { control, value, fixed } = state;
    const type = typeOfControl(state, this.choices);
    const speech = withNames({ locale, words, outer: this.#outer.value.messages, model: this.model }, control.member);
    const isUnfit = value !== null && 'problem' in conditionFilters(control.member, value, type);
    const remark = [isUnfit ? words.unfit : '', fixed ? words.fixed : ''].filter(Boolean).join('. ');
    const sentence = filterLabel(control.title, value, type, speech);
    const sizerText = filterLabel(control.title, null, type, speech);
    if (fixed) return fixedChip(sentence, sizerText, state, remark);
    return html`<button
        id="chip"
        part="control"
        type="button"
        class=${[chipClass(state, { isFilled: value !== null }), isUnfit ? 'unfit' : ''].join(' ')}
        data-sizer=${sizerText}
        aria-haspopup="dialog"
        aria-expanded=${this.open ? 'true' : 'false'}
        aria-describedby=${remark ? 'remark' : nothing}
        title=${remark || nothing}
        @click=${this.#handleOpen}
      >
        ${chipText(sentence)}
      </button>
      ${remark ? html`<span id="remark" hidden>${remark}</span>` : nothing} ${this.#renderPanel(state)}`;
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('#chip')?.focus();
  }

  #renderPanel(state: FilterState): TemplateResult {
    return html`<div
      part="panel"
      popover="auto"
      tabindex="-1"
      role="dialog"
      aria-label=${state.control.title}
      @toggle=${this.#handleToggle}
    >
      ${
        this.open
          ? html`<pa-filter-panel
              .state=${state}
              .choices=${this.choices}
              .model=${this.model}
              .source=${this.source}
              .onChoose=${this.#handleChoose}
              .onClose=${this.#close}
              .byTouch=${this.#isTouched}
            ></pa-filter-panel>`
          : nothing
      }
    </div>`;
  }

  readonly #handleOpen = (event: MouseEvent): void => {
    const panel = this.#panel;
    if (!panel) return;
    if (panel.matches(':popover-open')) {
      panel.hidePopover();
      return;
    }
    this.#isTouched = 'pointerType' in event && event.pointerType === 'touch';
    this.chooser?.wantModel();
    // The panel is empty until its chunk has loaded. If that fails, the next press retries.
    retryLoad(() => import('./panel/filter-panel-element.js')).catch(() => panel.hidePopover());
    panel.showPopover();
  };

  readonly #handleToggle = (event: ToggleEvent): void => {
    this.open = event.newState === 'open';
    if (!this.open) this.#resized.disconnect();
    if (this.open) this.#handleOpened();
    // The previously focused element is hidden at this point. Restore the focus unless the viewer moved it elsewhere.
    else if (this.shadowRoot?.activeElement || document.activeElement === document.body) this.focus();
  };

  /** Focuses the popover until the loaded panel takes the focus, so that keys no longer reach the chip. */
  #handleOpened(): void {
    const panel = this.#panel;
    if (panel) this.#resized.observe(panel);
    panel?.focus({ preventScroll: true });
  }

  readonly #close = (): void => this.#panel?.hidePopover();

  readonly #handleChoose = (condition: FilterCondition | null): void => {
    if (this.state) this.chooser?.choose(this.state.control, condition);
  };

  readonly #place = (): void => {
    const [chip, panel] = [this.renderRoot.querySelector('#chip'), this.#panel];
    if (!chip || !panel?.matches(':popover-open')) return;
    if (!matchMedia(sheetWidth).matches) placeMenu(panel, chip.getBoundingClientRect(), 'start');
    else for (const side of ['left', 'top']) panel.style.removeProperty(side);
  };

  get #panel(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('[part=panel]');
  }
}

register('pa-filter', PaFilter);

declare global {
  interface HTMLElementTagNameMap {
    'pa-filter': PaFilter;
  }
}
