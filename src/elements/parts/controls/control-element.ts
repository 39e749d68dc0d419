import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { Query } from '../../../contract/query.js';
import { LoadController, loadedValue } from '../../../controllers/load-controller.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../controllers/session-context.js';
import type { Choice } from '../../../report/controls.js';
import { valuesOf } from '../../../report/filter-condition.js';
import type { ModelFacts } from '../../../report/model-facts.js';
import { readable } from '../../../report/readable.js';
import type { ControlState } from '../../../report/state.js';
import { suggestionQuery, suggestionsOf } from '../../../report/suggestions.js';
import { catalog } from '../../messages/catalog.js';
import { controlStyles } from './control.styles.js';
import type { Chooser } from './controls-element.js';

/**
 * One control of a dashboard: a list to choose one value from, or none.
 *
 * @summary One control, inside the bar of a dashboard.
 * @tagname pa-control
 * @csspart control - The control, its name and its list.
 */
export class PaControl extends LitElement {
  static override styles = controlStyles;

  readonly #locale = new LocaleConsumer(this, catalog);
  readonly #suggestions = new LoadController<string, readonly string[]>(this, {
    source: () => this.source,
    key: () => this.#query,
    load: async (source, query, signal) => {
      const parsed: Query = JSON.parse(query);
      return suggestionsOf(await source.load(parsed, { signal })).values.flatMap(({ value }) => value || []);
    },
  });

  /** What is chosen by, and what is chosen. */
  @property({ attribute: false }) state: ControlState | null = null;
  /** What is chosen for the whole dashboard. */
  @property({ attribute: false }) choices: readonly Choice[] = [];
  /** What the model says of members, where it is known. */
  @property({ attribute: false }) model: ModelFacts | null = null;
  /** The session that the values are loaded with. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Who keeps what is chosen. */
  @property({ attribute: false }) chooser: Chooser | null = null;

  #query: string | null = null;

  protected override willUpdate(): void {
    const { state, choices } = this;
    if (state?.kind !== 'filter') return;
    const query = suggestionQuery(state.control, { type: null, choices, search: '', counter: null });
    this.#query = query && JSON.stringify(query);
  }

  override render(): TemplateResult | typeof nothing {
    const { state } = this;
    if (!state) return nothing;
    const { messages } = this.#locale.value;
    const value = chosenText(state);
    const options = this.#options(state);
    const shown =
      value === '' || options.some(option => option.value === value) ? options : [{ value, text: value }, ...options];
    const load = this.#suggestions.state;
    return html`<label part="control">
      <span>${state.control.title}</span>
      <select ?disabled=${state.fixed} .value=${live(value)} @change=${this.#handleChange} @focus=${this.#handleFocus}>
        ${state.kind === 'parent' && value !== '' ? nothing : html`<option value="" ?selected=${value === ''}>${this.#none(state)}</option>`}
        ${shown.map(option => html`<option value=${option.value} ?selected=${option.value === value}>${option.text}</option>`)}
        ${load.status === 'failed' ? html`<option disabled>${messages.problems[load.problem.kind][0]}</option>` : nothing}
      </select>
    </label>`;
  }

  /** What it is called that nothing is chosen. */
  #none(state: ControlState): string {
    const { messages } = this.#locale.value;
    if (state.kind === 'grain') return messages.ownGranularity;
    if (state.kind === 'field')
      return this.model?.get(state.control.member)?.title ?? readable(nameOf(state.control.member));
    return state.kind === 'parent' ? '–' : messages.allValues;
  }

  #options(state: ControlState): readonly { readonly value: string; readonly text: string }[] {
    switch (state.kind) {
      case 'filter': {
        const values = state.control.values ?? loadedValue(this.#suggestions.state) ?? [];
        return values.map(value => ({ value: String(value), text: String(value) }));
      }
      case 'grain': {
        const labelOf = granularityNames(this.#locale.value.locale);
        return state.control.values.map(value => ({ value, text: labelOf(value) }));
      }
      case 'field':
        return state.control.members.flatMap(({ member, title }) => {
          if (member === state.control.member && title === null) return [];
          return [{ value: member, text: title ?? this.model?.get(member)?.title ?? readable(nameOf(member)) }];
        });
      case 'parent':
        return state.control.options.map(({ id, title }) => ({ value: id, text: title }));
    }
  }

  #handleChange(event: Event): void {
    const { state } = this;
    if (!state || !(event.target instanceof HTMLSelectElement)) return;
    const value = event.target.value || null;
    this.chooser?.choose(state.control, state.kind === 'filter' && value !== null ? { value } : value);
    // Where the host would not have it, the list shows again what is in force.
    this.requestUpdate();
  }

  /** Values that could not be had are asked for again by whoever wants them. */
  #handleFocus(): void {
    if (this.#suggestions.state.status === 'failed') void this.#suggestions.reload();
  }
}

function chosenText(state: ControlState): string {
  if (state.kind !== 'filter') return state.value ?? '';
  const [value = null] = state.value ? valuesOf(state.value) : [];
  return value === null ? '' : String(value);
}

function nameOf(member: string): string {
  return member.slice(member.indexOf('.') + 1);
}

const dateFields: ReadonlyMap<string, string> = new Map([
  ['second', 'second'],
  ['minute', 'minute'],
  ['hour', 'hour'],
  ['day', 'day'],
  ['week', 'weekOfYear'],
  ['month', 'month'],
  ['quarter', 'quarter'],
  ['year', 'year'],
]);

/** Names of granularities in a language; those of a model's own as they are. */
function granularityNames(locale: string): (name: string) => string {
  const names = new Intl.DisplayNames(locale, { type: 'dateTimeField' });
  return name => {
    const field = dateFields.get(name);
    const text = field === undefined ? name : (names.of(field) ?? name);
    return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-control': PaControl;
  }
}
