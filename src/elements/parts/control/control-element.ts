import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { Query } from '../../../contract/query.js';
import { LoadController, loadedValue } from '../../../controllers/load-controller.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../controllers/session-context.js';
import { type Control, suggestionQuery, suggestions } from '../../../report/controls.js';
import { catalog } from '../../messages/catalog.js';
import { controlStyles } from './control.styles.js';

/**
 * One control of a dashboard: a list to choose one value from, or none.
 *
 * @summary A filter or granularity, inside a dashboard.
 * @tagname pa-control
 * @csspart control - The control, its name and its list.
 */
export class PaControl extends LitElement {
  static override styles = controlStyles;

  readonly #locale = new LocaleConsumer(this, catalog);
  readonly #suggestions = new LoadController<Query, readonly string[]>(this, {
    source: () => this.source,
    key: () => this.#query,
    load: async (source, query, signal) => suggestions(await source.load(query, { signal })),
  });

  /** What is chosen by. */
  @property({ attribute: false }) control: Control | null = null;
  /** What is chosen; null for nothing. */
  @property({ attribute: false }) value: string | null = null;
  /** The session that the values are loaded with. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Called with what the viewer has chosen. */
  @property({ attribute: false }) onChoose: (value: string | null) => void = () => {};

  #query: Query | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('control')) this.#query = this.control ? suggestionQuery(this.control) : null;
  }

  override render(): TemplateResult | typeof nothing {
    const { control, value } = this;
    if (!control) return nothing;
    const { locale, messages } = this.#locale.value;
    const { state } = this.#suggestions;
    const values = control.values ?? loadedValue(state) ?? [];
    const shown = value === null || values.includes(value) ? values : [value, ...values];
    const labelOf = control.kind === 'grain' ? granularityNames(locale) : (text: string) => text;
    return html`<label part="control">
      <span>${control.title}</span>
      <select @change=${this.#handleChange} @focus=${this.#handleFocus}>
        <option value="" ?selected=${value === null}>
          ${control.kind === 'grain' ? messages.ownGranularity : messages.allValues}
        </option>
        ${shown.map(text => html`<option value=${text} ?selected=${text === value}>${labelOf(text)}</option>`)}
        ${state.status === 'failed' ? html`<option disabled>${messages.problems[state.problem.kind][0]}</option>` : nothing}
      </select>
    </label>`;
  }

  #handleChange(event: Event): void {
    if (event.target instanceof HTMLSelectElement) this.onChoose(event.target.value || null);
  }

  /** Values that could not be had are asked for again by whoever wants them. */
  #handleFocus(): void {
    if (this.#suggestions.state.status === 'failed') void this.#suggestions.reload();
  }
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
