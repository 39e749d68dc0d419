import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FilterValue } from '../../../../contract/query.js';
import type { DashboardFilterOperator } from '../../../../contract/widget-config.js';
import { isNumberText } from '../../../../report/figure.js';
import type { MemberType } from '../../../../report/filter-condition.js';
import type { Speech } from '../sentence.js';

/** What values are chosen or entered with. */
export interface ValueInput {
  readonly type: MemberType;
  readonly values: readonly FilterValue[];
  readonly speech: Speech;
  readonly onValues: (values: readonly FilterValue[]) => void;
}

const mostLines = 500;

/** Several values, one a line. */
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
    onValues(lines.filter(line => line !== '' && fits(line, type)).slice(0, mostLines));
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

/** One value. */
export function renderOne({ type, values, speech, onValues }: ValueInput): TemplateResult {
  return renderEntry(speech.words.value, values[0] ?? null, type, value => onValues(value === null ? [] : [value]));
}

/** Two ends, of which one may stay open. */
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
