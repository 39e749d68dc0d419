import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { WidthController } from '../../../controllers/width-controller.js';
import type { ControlState } from '../../../report/controls/control-state.js';
import type { Choice } from '../../../report/controls/controls.js';
import type { ModelFacts } from '../../../report/controls/model-facts.js';
import { controls } from '../tokens.styles.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { AnnounceController } from './announce-controller.js';
import type { ControlActions } from './control-actions.js';
import { controlsStyles } from './controls.styles.js';
import './control-element.js';
import './filter-element.js';
import './mark-chip-element.js';
import {
  controlLabel,
  isSimple,
  type LabelContext,
  type MarkFilterLabel,
  markFilterLabels,
  typeOfControl,
} from '../../messages/control-label.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { controlsCatalog } from './controls-catalog.js';

/** Below this width the controls move to a sheet, in px. */
const narrow = 600;

/**
 * The controls of a dashboard: a bar of chips, or in narrow containers a button that opens a sheet. Announces choices
 * and the number of updated tiles.
 *
 * @summary The bar of controls, inside a dashboard.
 * @tagname pa-controls
 * @csspart controls - The bar.
 * @csspart control - A control: its name and current value.
 * @csspart reset - The button that resets filters and selections.
 * @csspart sheet-button - In narrow containers, the button that opens the sheet.
 * @csspart sheet - The sheet.
 */
export class PaControls extends LitElement {
  static override styles = [controls, visuallyHiddenStyles, controlsStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, controlsCatalog, () => this.#outer.value.locale);
  readonly #width = new WidthController(this, () => this.renderRoot.querySelector('.ruler'));
  readonly #announce = new AnnounceController(this, {
    updated: count => this.#locale.value.messages.updated(count),
  });

  /** All controls, each with its current value. */
  @property({ attribute: false }) controls: readonly ControlState[] = [];
  /** Choices for the whole dashboard. */
  @property({ attribute: false }) choices: readonly Choice[] = [];
  /** Metadata of members; `null` until it is loaded. */
  @property({ attribute: false }) model: ModelFacts | null = null;
  /** Whether there is a choice to reset. */
  @property({ type: Boolean }) touched = false;
  /** The session that loads the values. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Callbacks that receive the viewer's choices. */
  @property({ attribute: false }) chooser: ControlActions | null = null;

  @state() private isOpen = false;

  #marks: readonly MarkFilterLabel[] = [];
  /** Id of the tile whose marks were cleared by its chip. The chip has the focus and is about to be removed. */
  #cleared: string | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#readMarks();
    const before = changed.get('controls');
    if (before && before.length > 0) {
      this.#announceChanges(before, { isReset: changed.get('touched') === true && !this.touched });
    }
    if (this.controls.some(state => needsModel(state, this.choices))) this.chooser?.wantModel();
  }

  protected override updated(): void {
    if (this.#cleared !== null && !this.#marks.some(({ from }) => from === this.#cleared)) {
      this.#cleared = null;
      this.#focusWithin('pa-mark-chip, [part=sheet-button], pa-filter, pa-control');
    }
    const isNarrow = this.#isNarrow;
    if (this.isOpen && !isNarrow) this.#close();
    // The width is known from this update on.
    if (isNarrow !== this.hasAttribute('narrow')) {
      this.toggleAttribute('narrow', isNarrow);
      this.requestUpdate();
    }
  }

  override render(): TemplateResult {
    const shown = this.controls.filter(({ control }) => control.visibility !== 'hidden');
    return html`<div class="ruler"></div>
      ${this.#isNarrow && shown.length > 0 ? this.#renderSheet(shown) : this.#renderBar(shown)}
      <div class="unseen" role="status">${this.#announce.text}</div>`;
  }

  #renderBar(shown: readonly ControlState[]): TemplateResult {
    const label = this.#outer.value.messages.controls;
    return html`<div
      class=${shown.length > 0 ? 'bar' : 'bar alone'}
      part="controls"
      role="group"
      tabindex="-1"
      aria-label=${label}
    >
      ${this.#renderControls(shown)}
      <div class="tail">${this.#renderReset()} ${this.#renderMarks()}</div>
    </div>`;
  }

  #renderControls(shown: readonly ControlState[]): unknown {
    return repeat(
      shown,
      ({ control }) => control.id,
      state => this.#renderControl(state),
    );
  }

  #renderControl(state: ControlState): TemplateResult {
    const { choices, model, source, chooser } = this;
    if (state.kind === 'filter' && !isSimple(state.control, typeOfControl(state, choices))) {
      return html`<pa-filter
        exportparts="control, panel"
        .state=${state}
        .choices=${choices}
        .model=${model}
        .source=${source}
        .chooser=${chooser}
      ></pa-filter>`;
    }
    return html`<pa-control
      exportparts="control"
      .state=${state}
      .choices=${choices}
      .model=${model}
      .source=${source}
      .chooser=${chooser}
    ></pa-control>`;
  }

  #renderMarks(): TemplateResult {
    const chips = repeat(
      this.#marks,
      ({ from }) => from,
      ({ from, sentence }) => html`<pa-mark-chip
        exportparts="control"
        .sentence=${sentence}
        .label=${this.#locale.value.messages.clearMarks(sentence)}
        .onClear=${() => this.#clearMarks(from)}
      ></pa-mark-chip>`,
    );
    return html`<div class="marks">${chips}</div>`;
  }

  /** Renders the reset button. It is always rendered, because showing and hiding it would shift the layout. */
  #renderReset(): TemplateResult {
    return html`<button part="reset" type="button" class=${this.touched ? '' : 'idle'} @click=${this.#handleReset}>
      ${this.#locale.value.messages.reset}
    </button>`;
  }

  #renderSheet(shown: readonly ControlState[]): TemplateResult {
    const { messages: words } = this.#locale.value;
    const chosen = shown.filter(({ kind, value }) => kind === 'filter' && value !== null);
    return html`<div class="bar narrow">
        <button
          part="sheet-button"
          type="button"
          aria-haspopup="dialog"
          aria-expanded=${this.isOpen ? 'true' : 'false'}
          @click=${this.#handleOpen}
        >
          ${words.filters(chosen.length)}
        </button>
        ${this.#renderMarks()}
      </div>
      <dialog part="sheet" aria-label=${words.filters(0)} @close=${this.#handleClosed} @pointerdown=${this.#handleBackdrop}>
        <div class="sheet">
          <h2>${words.filters(0)}</h2>
          <div class="stack">${this.isOpen ? this.#renderControls(shown) : nothing}</div>
          <div class="foot">
            ${this.#renderReset()}
            <button type="button" class="done" @click=${this.#close}>${words.done}</button>
          </div>
        </div>
      </dialog>`;
  }

  /** Announces new mark filters, and announces when all of them were cleared. */
  #readMarks(): void {
    const before = this.#marks;
    this.#marks = markFilterLabels(this.choices, this.#speech);
    const known = new Set(before.map(({ sentence }) => sentence));
    const fresh = this.#marks.filter(({ sentence }) => !known.has(sentence));
    if (fresh.length > 0) this.#announce.say(fresh.map(({ sentence }) => `${sentence}.`).join(' '));
    else if (before.length > 0 && this.#marks.length === 0) {
      this.#announce.say(this.#locale.value.messages.marksCleared);
    }
  }

  /** Announces changed values as sentences. */
  #announceChanges(before: readonly ControlState[], { isReset }: { readonly isReset: boolean }): void {
    const { messages: words } = this.#locale.value;
    const values = new Map(before.map(({ control, value }) => [control.id, JSON.stringify(value)]));
    const changed = this.controls.filter(({ control, value }) => {
      const earlier = values.get(control.id);
      return earlier !== undefined && earlier !== JSON.stringify(value);
    });
    // Changes to the selected marks are announced separately.
    if (changed.length === 0) return;
    if (isReset) {
      this.#announce.say(words.isReset);
      return;
    }
    const said = changed
      .filter(({ kind }) => kind !== 'parent')
      .map(state => `${controlLabel(state, typeOfControl(state, this.choices), this.#speech)}.`);
    if (said.length > 0) this.#announce.say(said.join(' '));
  }

  readonly #handleOpen = async (): Promise<void> => {
    this.isOpen = true;
    await this.updateComplete;
    this.#dialog?.showModal();
  };

  readonly #handleClosed = (): void => {
    this.isOpen = false;
  };

  /** Closes the sheet when its backdrop is pressed. */
  readonly #handleBackdrop = (event: Event): void => {
    if (event.target === this.#dialog) this.#close();
  };

  readonly #handleReset = (): void => {
    this.chooser?.reset();
    this.#focusWithin('pa-filter, pa-control');
  };

  #clearMarks(from: string): void {
    if (this.chooser?.chooseMarks(from, [])) this.#cleared = from;
  }

  /** Moves the focus from a removed control to another control, or to the bar. */
  #focusWithin(controls: string): void {
    const { renderRoot } = this;
    (renderRoot.querySelector<HTMLElement>(controls) ?? renderRoot.querySelector<HTMLElement>('.bar'))?.focus();
  }

  readonly #close = (): void => {
    this.#dialog?.close();
    this.isOpen = false;
  };

  get #isNarrow(): boolean {
    return this.#width.width > 0 && this.#width.width < narrow;
  }

  get #speech(): LabelContext {
    const { locale, messages: words } = this.#locale.value;
    return { locale, words, outer: this.#outer.value.messages, model: this.model };
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }
}

/** Whether a control needs the model: for the titles of members, or to find out whether a filter is of type time. */
function needsModel(state: ControlState, choices: readonly Choice[]): boolean {
  if (state.kind === 'field') return state.control.members.some(({ title }) => title === null);
  if (state.kind !== 'filter' || !state.control.single) return false;
  return state.control.values === null && typeOfControl(state, choices) === null;
}

register('pa-controls', PaControls);

declare global {
  interface HTMLElementTagNameMap {
    'pa-controls': PaControls;
  }
}
