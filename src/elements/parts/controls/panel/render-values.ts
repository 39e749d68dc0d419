import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FilterValue } from '../../../../contract/query.js';
import type { DashboardFilterOperator } from '../../../../contract/widget-config.js';
import { isNumberText } from '../../../../report/figure.js';
import type { MemberType } from '../../../../report/filter-condition.js';
import { phrases } from '../messages/messages.js';
import { type Speech, valueText } from '../sentence.js';

/** What values are chosen or entered with. */
export interface ValueInput {
  readonly type: MemberType;
  readonly values: readonly FilterValue[];
  readonly speech: Speech;
  readonly onValues: (values: readonly FilterValue[]) => void;
}

const inputTypes: Readonly<Record<MemberType, 'text' | 'number' | 'date'>> = {
  string: 'text',
  number: 'number',
  boolean: 'text',
  time: 'date',
};
const mostLines = 500;

/** Spans of time to choose from; one in force that is not among them is there too. */
export function renderPeriod({ type, values, speech, onValues }: ValueInput): TemplateResult {
  const { words } = speech;
  const chosen = String(values[0] ?? '');
  const known = phrases.some(phrase => phrase === chosen) || chosen === '' ? phrases : [chosen, ...phrases];
  const handle = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) onValues([event.target.value]);
  };
  return html`<fieldset class="list" @change=${handle}>
    <legend class="unseen">${words.period}</legend>
    ${known.map(
      phrase => html`<label class="item">
        <input type="radio" name="period" value=${phrase} .checked=${live(phrase === chosen)} />
        <span>${valueText(phrase, type, speech)}</span>
      </label>`,
    )}
  </fieldset>`;
}

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

/** One value: a date picker of a time. */
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
      type=${inputTypes[type]}
      .value=${live(entryText(value, type))}
      @change=${handle}
    />
  </label>`;
}

/** A day is what a date picker shows of a time. */
function entryText(value: FilterValue, type: MemberType): string {
  const text = value === null ? '' : String(value);
  return type === 'time' ? text.slice(0, 10) : text;
}

function fits(line: string, type: MemberType): boolean {
  return type !== 'number' || isNumberText(line);
}
