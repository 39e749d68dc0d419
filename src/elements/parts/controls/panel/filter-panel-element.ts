import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { FilterValue, Query } from '../../../../contract/query.js';
import type { DashboardFilterOperator, FilterCondition } from '../../../../contract/widget-config.js';
import { LoadController, loadedValue } from '../../../../controllers/load-controller.js';
import { LocaleConsumer } from '../../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../../controllers/session/session-context.js';
import type { FilterState } from '../../../../report/controls/control-state.js';
import type { Choice } from '../../../../report/controls/controls.js';
import { isOperator, type MemberType, operatorOf, valuesOf } from '../../../../report/controls/filter-condition.js';
import {
  availableOperators,
  boundOf,
  boundsQueries,
  type DateBounds,
  draftCondition,
  editorOf,
  type FilterEditor,
} from '../../../../report/controls/filter-editor.js';
import { counterOf, type ModelFacts } from '../../../../report/controls/model-facts.js';
import { type Suggestions, suggestionQuery, suggestionsOf } from '../../../../report/controls/suggestions.js';
import { viewOf } from '../../../../report/query/member-names.js';
import { type LabelContext, typeOfControl, withNames } from '../../../messages/control-label.js';
import { pageCatalog } from '../../../messages/page-catalog.js';
import { register } from '../../../register.js';
import { retryLoad } from '../../retry-load.js';
import { controls } from '../../tokens.styles.js';
import { visuallyHiddenStyles } from '../../visually-hidden.styles.js';
import { controlsCatalog } from '../controls-catalog.js';
import type { DateOffers } from '../dates/date-editor-element.js';
import { filterPanelStyles } from './filter-panel.styles.js';
import { type ListedValue, listedValues, renderLines, renderList, renderOne, renderRange } from './value-input.js';

/** Debounce delay of the search, in ms. */
const pause = 250;

const noBounds: DateBounds = { min: null, max: null };

/**
 * Editor of a filter: an operator, and values to select or enter. Every change applies immediately.
 *
 * @summary Editor of a filter, inside its popover.
 * @tagname pa-filter-panel
 */
export class PaFilterPanel extends LitElement {
  static override styles = [controls, visuallyHiddenStyles, filterPanelStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleConsumer(this, controlsCatalog);
  readonly #suggestions = new LoadController<string, Suggestions>(this, {
    source: () => this.source,
    key: () => this.#query,
    load: async (source, text, signal) => {
      const query: Query = JSON.parse(text);
      return suggestionsOf(await source.load(query, { signal }));
    },
    isCompatible: () => true,
  });

  /** Date range of the data. The calendar opens at the end of this range, or at today if there is none. */
  readonly #bounds = new LoadController<string, DateBounds>(this, {
    source: () => this.source,
    key: () => this.#timed,
    load: async (source, text, signal) => {
      const { member, queries }: { member: string; queries: readonly Query[] } = JSON.parse(text);
      const rows = await Promise.all(queries.map(query => source.load(query, { signal })));
      const [min = null, max = null] = rows.map(each => boundOf(member, each));
      return { min, max };
    },
  });

  /** The filter and its current condition. */
  @property({ attribute: false }) state: FilterState | null = null;
  /** Choices for the whole dashboard. */
  @property({ attribute: false }) choices: readonly Choice[] = [];
  /** Metadata of members; `null` until it is loaded. */
  @property({ attribute: false }) model: ModelFacts | null = null;
  /** The session that loads the values. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Called with the viewer's choice. */
  @property({ attribute: false }) onChoose: (condition: FilterCondition | null) => void = () => {};
  /** Called when the viewer closes the panel. */
  @property({ attribute: false }) onClose: () => void = () => {};
  /**
   * Whether the panel was opened by touch. If so, no field is focused, because that would open the on-screen keyboard
   * over the panel.
   */
  @property({ attribute: false }) byTouch = false;

  /** Operator that was selected before its values. It is applied when values are set. */
  @state() private turned: DashboardFilterOperator | null = null;
  @state() private search = '';
  /** Search text sent to the service. */
  @state() private searchText = '';

  #query: string | null = null;
  /** Key of the request for the date range of the data. */
  #timed: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the list is truncated, so that the service performs the search. */
  #isSearched = false;
  #isFocused = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override willUpdate(): void {
    const { state, choices, model, searchText } = this;
    if (loadedValue(this.#suggestions.state)?.more) this.#isSearched = true;
    const editor = state && model ? this.#editor(state) : null;
    this.#wantDates(editor === 'day' || editor === 'days');
    if (!state || !model || editor !== 'list') {
      this.#query = null;
      return;
    }
    const counter = counterOf(model, viewOf(state.control.member));
    const query = suggestionQuery(state.control, { type: this.#type, choices, search: searchText, counter });
    this.#query = query && JSON.stringify(query);
  }

  protected override updated(): void {
    if (this.#isFocused || !this.#isReady) return;
    this.#isFocused = true;
    if (!this.byTouch && !this.renderRoot.querySelector(':focus')) this.#focusFirst();
  }

  override render(): TemplateResult | typeof nothing {
    const { state } = this;
    if (!state) return nothing;
    const { messages: words } = this.#locale.value;
    if (!this.model) return html`<p class="note" role="status">${words.loading}</p>`;
    return html`<div class="head">
        <span class="name" dir="auto" aria-hidden="true">${state.control.title}</span>
        ${this.#renderOperators(state)}
      </div>
      <div class="values">${this.#renderEditor(state)}</div>
      <div class="foot">
        <button
          type="button"
          class="plain"
          ?disabled=${state.value === null && this.turned === null}
          @click=${this.#handleClear}
        >
          ${words.clear}
        </button>
        <button type="button" @click=${() => this.onClose()}>${words.done}</button>
      </div>`;
  }

  #renderOperators(state: FilterState): TemplateResult | typeof nothing {
    const { messages: words } = this.#locale.value;
    const offered = availableOperators(state.control, this.#type);
    const operator = this.#operator(state);
    // Relative dates and date ranges share one editor.
    const isMerged = this.#type === 'time' && offered.includes('custom');
    const chosen = isMerged && operator === 'between' ? 'custom' : operator;
    const all = (offered.includes(chosen) ? offered : [chosen, ...offered]).filter(
      option => !isMerged || option !== 'between',
    );
    if (all.length < 2) return nothing;
    return html`<label class="operator">
      <span class="unseen">${words.condition}</span>
      <select class="quiet" .value=${chosen} @change=${this.#handleOperator}>
        ${all.map(
          option => html`<option value=${option} ?selected=${option === chosen}>${words.operators[option]}</option>`,
        )}
      </select>
    </label>`;
  }

  #renderEditor(state: FilterState): unknown {
    const values = this.#values(state);
    const input = { type: this.#type, values, speech: this.#speech, onValues: this.#handleValues };
    switch (this.#editor(state)) {
      case 'none':
        return nothing;
      case 'day':
      case 'days':
        return this.#renderDates(state);
      case 'lines':
        return renderLines(input, this.#operator(state));
      case 'one':
        return renderOne(input);
      case 'range':
        return renderRange(input);
      case 'list':
        return renderList({
          ...input,
          listed: this.#listValues(state),
          load: this.#suggestions.state,
          search: this.search,
          more: this.#isSearched && state.control.values === null,
          single: state.control.single,
          name: state.control.title,
          onSearch: this.#handleSearch,
          onRetry: () => void this.#suggestions.reload(),
        });
    }
  }

  #renderDates(state: FilterState): TemplateResult {
    const offered = availableOperators(state.control, this.#type);
    const isOne = this.#editor(state) === 'day';
    const range = offered.includes('between') ? 'range' : 'none';
    const offers: DateOffers = {
      phrases: !isOne && offered.includes('custom'),
      days: isOne ? 'one' : range,
    };
    return html`<pa-date-editor
      .speech=${this.#speech}
      .timezone=${timezoneOf(this.choices)}
      .values=${this.#values(state)}
      .bounds=${loadedValue(this.#bounds.state) ?? noBounds}
      .offers=${offers}
      .onPhrase=${(phrase: string) => this.#draft('custom', [phrase])}
      .onDays=${(days: readonly (string | null)[]) => this.#draft(isOne ? this.#operator(state) : 'between', days)}
    ></pa-date-editor>`;
  }

  /** Lazy-loads the date editor, and requests the date range of the data only while it is visible. */
  #wantDates(isWanted: boolean): void {
    const { state, choices } = this;
    this.toggleAttribute('dates', isWanted);
    if (!isWanted || !state) {
      this.#timed = null;
      return;
    }
    const { member } = state.control;
    this.#timed = JSON.stringify({ member, queries: boundsQueries(member, choices) });
    if (customElements.get('pa-date-editor')) return;
    const load = retryLoad(() => import('../dates/date-editor-element.js'));
    load.then(() => this.requestUpdate()).catch(() => this.onClose());
  }

  /** Returns the editor of a filter. Numbers are entered instead of selected if there are too many for a list. */
  #editor(state: FilterState): FilterEditor {
    const editor = editorOf(this.#operator(state), this.#type);
    const isLong = editor === 'list' && this.#type === 'number' && !state.control.values && this.#isSearched;
    return isLong ? 'lines' : editor;
  }

  #listValues({ control, value }: FilterState): readonly ListedValue[] {
    const known: readonly ListedValue[] = control.values
      ? control.values.map(item => ({ value: item, count: null }))
      : (loadedValue(this.#suggestions.state)?.values ?? []);
    const isLocal = !this.#isSearched || control.values !== null;
    return listedValues(known, value ? valuesOf(value) : [], isLocal ? this.search : '');
  }

  #values({ value }: FilterState): readonly FilterValue[] {
    return value ? valuesOf(value) : [];
  }

  #operator({ control, value }: FilterState): DashboardFilterOperator {
    if (this.turned) return this.turned;
    const operator = operatorOf(value ?? control.initial ?? {});
    if (value && isOperator(operator)) return operator;
    const offered = availableOperators(control, this.#type);
    const usual = offered.find(option => option === operator) ?? offered[0];
    return this.#type === 'time' && offered.includes('custom') && !control.initial ? 'custom' : (usual ?? 'equals');
  }

  get #type(): MemberType {
    const { state, model, choices } = this;
    if (!state) return 'string';
    return model?.get(state.control.member)?.type ?? typeOfControl(state, choices) ?? 'string';
  }

  get #speech(): LabelContext {
    const { locale, messages: words } = this.#locale.value;
    const speech = { locale, words, outer: this.#outer.value.messages, model: this.model };
    return this.state ? withNames(speech, this.state.control.member) : speech;
  }

  readonly #handleOperator = (event: Event): void => {
    const { state } = this;
    if (!state || !(event.target instanceof HTMLSelectElement) || !isOperator(event.target.value)) return;
    const [before, operator] = [this.#operator(state), event.target.value];
    const type = this.#type;
    this.turned = operator;
    const editor = editorOf(operator, type);
    const suits = editor === 'none' || (editor === editorOf(before, type) && state.value !== null);
    if (!suits) return;
    const condition = draftCondition(operator, this.#values(state), state.value);
    if (condition) this.turned = null;
    this.onChoose(condition);
  };

  readonly #handleValues = (values: readonly FilterValue[]): void => {
    if (this.state) this.#draft(this.#operator(this.state), values);
  };

  #draft(operator: DashboardFilterOperator, values: readonly FilterValue[]): void {
    const { state } = this;
    if (!state) return;
    const condition = draftCondition(operator, values, state.value);
    // An operator without values has no effect until values are set.
    this.turned = condition ? null : operator;
    this.onChoose(condition);
    this.requestUpdate();
  }

  readonly #handleSearch = (text: string): void => {
    this.search = text;
    clearTimeout(this.#timer);
    if (!this.#isSearched) return;
    this.#timer = setTimeout(() => {
      this.searchText = text;
    }, pause);
  };

  readonly #handleClear = (): void => {
    this.turned = null;
    this.search = '';
    this.searchText = '';
    if (this.state?.value) this.onChoose(null);
    // The button is now disabled and has lost the focus.
    this.#focusFirst();
  };

  /** Whether the model and the values are loaded, and therefore all focusable elements exist. */
  get #isReady(): boolean {
    if (!this.state || !this.model) return false;
    if (this.#timed !== null) return customElements.get('pa-date-editor') !== undefined;
    return this.#query === null || this.#suggestions.state.status !== 'loading';
  }

  /** Focuses the search field if there is one, otherwise the selected value, otherwise the first field. */
  #focusFirst(): void {
    const dates = this.renderRoot.querySelector<HTMLElement>('pa-date-editor');
    if (dates) {
      dates.focus();
      return;
    }
    const targets = [
      '[type=search]',
      '.values :checked:not(option)',
      '.values :is(input, textarea)',
      'select',
      'button',
    ];
    const found = targets.map(target => this.renderRoot.querySelector<HTMLElement>(target)).find(each => each !== null);
    found?.focus();
  }
}

function timezoneOf(choices: readonly Choice[]): string {
  return choices.find(choice => choice.kind === 'timezone')?.value ?? 'UTC';
}

register('pa-filter-panel', PaFilterPanel);

declare global {
  interface HTMLElementTagNameMap {
    'pa-filter-panel': PaFilterPanel;
  }
}
