import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { Query } from '../../../contract/query.js';
import { LoadController, loadedValue } from '../../../controllers/load-controller.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { ControlState } from '../../../report/controls/control-state.js';
import type { Choice } from '../../../report/controls/controls.js';
import { valuesOf } from '../../../report/controls/filter-condition.js';
import type { ModelFacts } from '../../../report/controls/model-facts.js';
import { suggestionQuery, suggestionsOf } from '../../../report/controls/suggestions.js';
import {
  choiceName,
  controlLabel,
  granularityName,
  type LabelContext,
  memberTitle,
  typeOfControl,
  valueText,
} from '../../messages/control-label.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { controls } from '../tokens.styles.js';
import { chipClass, chipText, fixedChip } from './chip.js';
import { chipArrowStyles, chipStyles, controlStyles } from './chip.styles.js';
import type { ControlActions } from './control-actions.js';
import { controlsCatalog } from './controls-catalog.js';

/**
 * A control of a dashboard: a list that selects one value or none.
 *
 * @summary One control, inside the bar of a dashboard.
 * @tagname pa-control
 * @csspart control - The control, its name and its list.
 */
export class PaControl extends LitElement {
  static override styles = [controls, chipStyles, chipArrowStyles, controlStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleConsumer(this, controlsCatalog);
  readonly #suggestions = new LoadController<string, readonly string[]>(this, {
    source: () => this.source,
    key: () => this.#query,
    load: async (source, query, signal) => {
      const parsed: Query = JSON.parse(query);
      return suggestionsOf(await source.load(parsed, { signal })).values.flatMap(({ value }) => value || []);
    },
    isCompatible: () => true,
  });

  /** The control and its current value. */
  @property({ attribute: false }) state: ControlState | null = null;
  /** Choices for the whole dashboard. */
  @property({ attribute: false }) choices: readonly Choice[] = [];
  /** Metadata of members; `null` until it is loaded. */
  @property({ attribute: false }) model: ModelFacts | null = null;
  /** The session that loads the values. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Receives the viewer's choices. */
  @property({ attribute: false }) chooser: ControlActions | null = null;

  #query: string | null = null;

  protected override willUpdate(): void {
    const { state, choices } = this;
    if (state?.kind !== 'filter' || state.fixed) return;
    const type = typeOfControl(state, choices);
    const query = suggestionQuery(state.control, { type, choices, search: '', counter: null });
    this.#query = query && JSON.stringify(query);
  }

  override render(): TemplateResult | typeof nothing {
    const { state } = this;
    if (!state) return nothing;
    const value = chosenText(state);
    const options = this.#options(state);
    const sentence = controlLabel(state, typeOfControl(state, this.choices), this.#speech);
    const sizerText = this.#sizerText(state, options);
    if (state.fixed) return fixedChip(sentence, sizerText, state, this.#locale.value.messages.fixed);
    const shown =
      value === '' || options.some(option => option.value === value)
        ? options
        : [{ value, text: this.#textOf(value) }, ...options];
    return html`<label part="control" class=${`${chipClass(state, { isFilled: value !== '' })} ${state.kind === 'filter' ? '' : 'listed'}`} data-sizer=${sizerText}>
      ${chipText(sentence)}
      <select
        id="chip"
        aria-label=${state.control.title}
        title=${sentence}
        .value=${live(value)}
        @change=${this.#handleChange}
        @focus=${this.#handleFocus}
      >
        ${this.#renderNone(state, value)}
        ${shown.map(option => html`<option value=${option.value} ?selected=${option.value === value}>${option.text}</option>`)}
        ${this.#renderFailure()}
      </select>
    </label>`;
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('#chip')?.focus();
  }

  /**
   * Returns the text that sets the width of the chip: the longest option if the author lists the options, otherwise the
   * sentence without a value.
   */
  #sizerText(state: ControlState, options: readonly { readonly text: string }[]): string {
    const none = controlLabel({ ...state, value: null }, null, this.#speech);
    if (state.kind === 'filter') return none;
    const { words } = this.#speech;
    const sentences = options.map(({ text }) => words.sentence(state.control.title, '', text));
    return [none, ...sentences].reduce((longest, text) => (text.length > longest.length ? text : longest));
  }

  /** Renders the option that clears the choice. A parent control with a value has no such option. */
  #renderNone(state: ControlState, value: string): TemplateResult | typeof nothing {
    if (state.kind === 'parent' && value !== '') return nothing;
    const text =
      state.kind === 'filter'
        ? this.#outer.value.messages.allValues
        : choiceName({ ...state, value: null }, this.#speech);
    return html`<option value="" ?selected=${value === ''}>${text}</option>`;
  }

  #renderFailure(): TemplateResult | typeof nothing {
    const { state } = this.#suggestions;
    if (state.status !== 'failed') return nothing;
    return html`<option disabled>${this.#outer.value.messages.problems[state.problem.kind][0]}</option>`;
  }

  #options(state: ControlState): readonly { readonly value: string; readonly text: string }[] {
    switch (state.kind) {
      case 'filter': {
        const values = state.control.values ?? loadedValue(this.#suggestions.state) ?? [];
        return values.map(value => ({ value: String(value), text: this.#textOf(value) }));
      }
      case 'grain': {
        const { locale } = this.#locale.value;
        return state.control.values.map(value => ({ value, text: granularityName(value, locale) }));
      }
      case 'field':
        return state.control.members.flatMap(({ member }) =>
          member === state.control.member ? [] : [{ value: member, text: memberTitle(member, state, this.model) }],
        );
      case 'parent':
        return state.control.options.map(({ id, title }) => ({ value: id, text: title }));
    }
  }

  #textOf(value: string | number | boolean): string {
    return valueText(value, this.state ? typeOfControl(this.state, this.choices) : null, this.#speech);
  }

  get #speech(): LabelContext {
    const { locale, messages: words } = this.#locale.value;
    return { locale, words, outer: this.#outer.value.messages, model: this.model };
  }

  #handleChange(event: Event): void {
    const { state } = this;
    if (!state || !(event.target instanceof HTMLSelectElement)) return;
    const value = event.target.value || null;
    this.chooser?.choose(state.control, state.kind === 'filter' && value !== null ? { value } : value);
    // If the host prevents the choice, re-render to show the current value.
    this.requestUpdate();
  }

  /** Retries loading the values of the list after a failure. */
  #handleFocus(): void {
    if (this.#suggestions.state.status === 'failed') void this.#suggestions.reload();
  }
}

function chosenText(state: ControlState): string {
  if (state.kind === 'field' && state.value === state.control.member) return '';
  if (state.kind !== 'filter') return state.value ?? '';
  const [value = null] = state.value ? valuesOf(state.value) : [];
  return value === null ? '' : String(value);
}

register('pa-control', PaControl);

declare global {
  interface HTMLElementTagNameMap {
    'pa-control': PaControl;
  }
}
