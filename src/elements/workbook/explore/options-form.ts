import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import {
  type ComparedUnit,
  type Comparisons,
  compareWith,
  offeredUnits,
  unitOf,
} from '../../../report/explore/compared-period.js';
import type { Draft } from '../../../report/explore/query-draft.js';
import type { OptionField } from '../../../report/explore/visualization-options.js';
import type { ExploreMessages } from './explore-messages.js';

type OptionMessages = ExploreMessages['options'];

/** State and callback of the settings of a visualization. */
export interface OptionsForm {
  readonly fields: readonly OptionField[];
  readonly words: OptionMessages;
  readonly onChange: (key: string, value: string) => void;
}

/** Renders the settings of a visualization. */
export function renderOptions({ fields, words, onChange }: OptionsForm): unknown {
  return repeat(
    fields,
    ({ key }) => key,
    field => renderField(field, words, value => onChange(field.key, value)),
  );
}

function renderField(field: OptionField, words: OptionMessages, onChange: (value: string) => void): TemplateResult {
  const { name, key, column, control, value, choices } = field;
  const label = column ? words.ofColumn(words.names[name], column) : words.names[name];
  if (control === 'check') {
    return html`<label class="check" data-option=${key}>
      <input
        type="checkbox"
        .checked=${value === 'true'}
        @change=${({ target }: Event) => onChange(String(target instanceof HTMLInputElement && target.checked))}
      />
      <span>${label}</span>
    </label>`;
  }
  if (control === 'choice') {
    const nameOf = (choice: string): string => valueName(choice, words);
    return html`<label class="field" data-option=${key}>
      <span dir="auto">${label}</span>
      <select @change=${({ target }: Event) => target instanceof HTMLSelectElement && onChange(target.value)}>
        ${choices.map(
          ({ value: choice, title }) =>
            html`<option value=${choice} .selected=${choice === value}>${title ?? nameOf(choice)}</option>`,
        )}
      </select>
    </label>`;
  }
  return html`<label class="field" data-option=${key}>
    <span>${label}</span>
    <input
      type=${control}
      .step=${'any'}
      maxlength="255"
      dir="auto"
      autocomplete="off"
      .value=${value}
      @change=${({ target }: Event) => target instanceof HTMLInputElement && onChange(target.value)}
    />
  </label>`;
}

function valueName(value: string, { values }: OptionMessages): string {
  const names: Readonly<Record<string, string>> = values;
  return names[value || 'none'] ?? value;
}

/** Renders the choice of the period that measures are compared with; nothing if the rows have no time. */
export function renderComparison(
  draft: Draft,
  comparisons: Comparisons,
  words: OptionMessages,
  onChange: (comparisons: Comparisons) => void,
): TemplateResult | typeof nothing {
  const offered = offeredUnits(draft);
  if (offered.length === 0 && comparisons.length === 0) return nothing;
  const current = unitOf(comparisons);
  const isOwn = comparisons.length > 0 && current === null;
  const handleChange = ({ target }: Event): void => {
    const value = target instanceof HTMLSelectElement ? target.value : '';
    const unit = offered.find(each => each === value);
    if (value !== 'own') onChange(unit ? compareWith(draft, unit) : []);
  };
  const chosen = isOwn ? 'own' : (current ?? '');
  const option = (value: string, label: string): TemplateResult =>
    html`<option value=${value} .selected=${value === chosen}>${label}</option>`;
  return html`<div class="field">
    <label for="compare">${words.compare}</label>
    <select id="compare" @change=${handleChange}>
      ${option('', words.noCompare)}
      ${isOwn ? option('own', words.ownCompare) : nothing}
      ${offered.map((unit: ComparedUnit) => option(unit, words.earlier[unit]))}
    </select>
  </div>`;
}
