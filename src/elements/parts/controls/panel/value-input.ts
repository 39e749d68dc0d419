import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { FilterValue } from '../../../../contract/query.js';
import type { DashboardFilterOperator } from '../../../../contract/widget-config.js';
import type { LoadState } from '../../../../controllers/load-controller.js';
import type { MemberType } from '../../../../report/controls/filter-condition.js';
import { maxSuggestions, type Suggestions } from '../../../../report/controls/suggestions.js';
import { isNumberText } from '../../../../report/format/numeric-value.js';
import { type LabelContext, valueText } from '../../../messages/control-label.js';

/** Options of a value input. */
interface ValueInput {
  readonly type: MemberType;
  readonly values: readonly FilterValue[];
  readonly speech: LabelContext;
  readonly onValues: (values: readonly FilterValue[]) => void;
}

const maxLines = 500;

/** Renders a field for several values, one per line. */
export function renderLines(
  { type, values, speech, onValues }: ValueInput,
  operator: DashboardFilterOperator,
): TemplateResult {
  const { words } = speech;
  const text = values.filter(value => value !== null).join('\n');
  const ignoresCase = type === 'string' && operator !== 'equals' && operator !== 'not_equals';
  const handle = (event: Event): void => {
    if (!(event.target instanceof HTMLTextAreaElement)) return;
    const lines = event.target.value.split('\n').map(line => line.trim());
    onValues(lines.filter(line => line !== '' && fits(line, type)).slice(0, maxLines));
  };
  return html`<label class="entry">
      <span>${words.valuePerLine}</span>
      <textarea
        class="field"
        rows="3"
        inputmode=${type === 'number' ? 'decimal' : 'text'}
        .value=${live(text)}
        @change=${handle}
      ></textarea>
    </label>
    ${ignoresCase ? html`<p class="note">${words.ignoresCase}</p>` : ''}`;
}

/** Renders a field for one value. */
export function renderOne({ type, values, speech, onValues }: ValueInput): TemplateResult {
  return renderEntry(speech.words.value, values[0] ?? null, type, value => onValues(value === null ? [] : [value]));
}

/** Renders fields for both ends of a range; one of them can be empty. */
export function renderRange({ type, values, speech, onValues }: ValueInput): TemplateResult {
  const { words } = speech;
  const [start = null, end = null] = values;
  return html`<div class="range">
    ${renderEntry(words.from, start, type, value => onValues([value, end]))}
    ${renderEntry(words.to, end, type, value => onValues([start, value]))}
  </div>`;
}

function renderEntry(
  label: string,
  value: FilterValue,
  type: MemberType,
  onValue: (value: string | null) => void,
): TemplateResult {
  const handle = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) onValue(event.target.value || null);
  };
  return html`<label class="entry">
    <span>${label}</span>
    <input
      class="field"
      type=${type === 'number' ? 'number' : 'text'}
      .value=${live(value === null ? '' : String(value))}
      @change=${handle}
    />
  </label>`;
}

function fits(line: string, type: MemberType): boolean {
  return type !== 'number' || isNumberText(line);
}

/** A value in a list. */
export interface ListedValue {
  readonly value: FilterValue;
  /** Number of rows with the value; `null` if unknown. */
  readonly count: string | null;
}

/** Options of a list of values. */
interface ListInput extends ValueInput {
  readonly listed: readonly ListedValue[];
  readonly load: LoadState<Suggestions>;
  readonly search: string;
  /** Whether the list is truncated. */
  readonly more: boolean;
  readonly single: boolean;
  /** Title of the filter. */
  readonly name: string;
  readonly onSearch: (text: string) => void;
  readonly onRetry: () => void;
}

/** Shorter lists have no search field. */
const fewValues = 8;

/**
 * Returns the values that match a search, preceded by selected values that are not in the known list. The search is
 * case-insensitive, like that of the Data API.
 */
export function listedValues(
  known: readonly ListedValue[],
  chosen: readonly FilterValue[],
  search: string,
): readonly ListedValue[] {
  const names = new Set(known.map(({ value }) => keyOf(value)));
  const others = chosen.filter(value => !names.has(keyOf(value))).map(value => ({ value, count: null }));
  const searched = search.trim().toLowerCase();
  if (searched === '') return [...others, ...known];
  return [...others, ...known].filter(({ value }) =>
    String(value ?? '')
      .toLowerCase()
      .includes(searched),
  );
}

/** Renders a list of values, with a search field if the list is long. */
export function renderList(input: ListInput): TemplateResult {
  const { listed, load, search, more, single, speech, values, name, onSearch, onValues } = input;
  const { words } = speech;
  const chosen = new Set(values.map(keyOf));
  const handleSearch = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) onSearch(event.target.value);
  };
  return html`${
    listed.length > fewValues || search !== '' || more
      ? html`<input
            class="field"
            type="search"
            aria-label=${words.search}
            placeholder=${words.search}
            .value=${live(search)}
            @input=${handleSearch}
          />`
      : nothing
  }
    ${
      single || listed.length < 2
        ? nothing
        : html`<div class="bulk">
            <button type="button" class="plain" @click=${() => onValues(mergeValues(values, listed))}>${words.selectAll}</button>
            <span>${values.length > 0 ? words.chosen(values.length) : ''}</span>
          </div>`
    }
    <fieldset class="list" aria-busy=${load.status === 'loading' ? 'true' : 'false'}>
      <legend class="unseen">${name}</legend>
      ${repeat(
        listed,
        ({ value }) => keyOf(value),
        item => renderItem(item, input, { isChosen: chosen.has(keyOf(item.value)) }),
      )}
    </fieldset>
    <p class="note" role="status">${noteOf(input)}</p>
    ${
      load.status === 'failed'
        ? html`<button type="button" @click=${input.onRetry}>${speech.outer.retry}</button>`
        : nothing
    }`;
}

function renderItem(
  { value, count }: ListedValue,
  input: ListInput,
  { isChosen }: { readonly isChosen: boolean },
): TemplateResult {
  const { single, speech, type, values, onValues } = input;
  const handle = (event: Event): void => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const others = values.filter(other => keyOf(other) !== keyOf(value));
    if (single) onValues([value]);
    else onValues(event.target.checked ? [...others, value] : others);
  };
  return html`<label class="item">
    <input type=${single ? 'radio' : 'checkbox'} name="value" .checked=${live(isChosen)} @change=${handle} />
    <span class="text" dir="auto">${valueText(value, type, speech)}</span>
    ${count === null ? nothing : html`<span class="count">${new Intl.NumberFormat(speech.locale).format(Number(count))}</span>`}
  </label>`;
}

function noteOf({ load, listed, more, speech }: ListInput): string {
  const { words, outer, locale } = speech;
  if (load.status === 'failed') return outer.problems[load.problem.kind][0];
  if (load.status === 'loading' && listed.length === 0) return words.loading;
  if (listed.length === 0) return words.nothingFound;
  const isCut = more && listed.length >= maxSuggestions;
  return isCut ? words.more(new Intl.NumberFormat(locale).format(maxSuggestions)) : '';
}

function mergeValues(values: readonly FilterValue[], listed: readonly ListedValue[]): readonly FilterValue[] {
  const names = new Set(values.map(keyOf));
  return [...values, ...listed.map(({ value }) => value).filter(value => !names.has(keyOf(value)))];
}

/** Returns the same key for a value and its text, because rows contain strings. */
function keyOf(value: FilterValue): string {
  return value === null ? 'null' : `=${String(value)}`;
}
