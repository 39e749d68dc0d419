import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { FilterValue } from '../../../../contract/query.js';
import type { DateBounds } from '../../../../report/controls/filter-editor.js';
import { dayIn, dayTime, phraseDays } from '../../../../report/dates/calendar-days.js';
import { dayText, readDay } from '../../../../report/dates/date-input.js';
import { type LabelContext, valueText } from '../../../messages/control-label.js';
import { controls } from '../../tokens.styles.js';
import { visuallyHiddenStyles } from '../../visually-hidden.styles.js';
import './calendar-element.js';
import { register } from '../../../register.js';
import { phrases } from '../controls-messages.js';
import { dateEditorStyles } from './date-editor.styles.js';

/** Kinds of dates that a date editor offers. */
export interface DateOffers {
  readonly phrases: boolean;
  readonly days: 'range' | 'one' | 'none';
}

type Ends = readonly [string | null, string | null];

interface EntryProblem {
  /** Index of the field. */
  readonly at: number;
  /** The typed text. */
  readonly text: string;
  readonly words: string;
}

/**
 * Selects a day, a range of days or a relative date such as "last 7 days" from a list, by typing in the viewer's
 * format, or in a calendar.
 *
 * @summary Editor of a date filter, inside its popover.
 * @tagname pa-date-editor
 */
export class PaDateEditor extends LitElement {
  static override styles = [controls, visuallyHiddenStyles, dateEditorStyles];

  @property({ attribute: false }) speech: LabelContext | null = null;
  /** IANA time zone that determines which day is today. */
  @property({ attribute: false }) timezone = 'UTC';
  /** Current values: a relative date, a day, or both ends of a range. */
  @property({ attribute: false }) values: readonly FilterValue[] = [];
  @property({ attribute: false }) bounds: DateBounds = { min: null, max: null };
  /** Kinds of dates that can be selected. */
  @property({ attribute: false }) offers: DateOffers = { phrases: true, days: 'range' };
  /** Called with the relative date selected by the viewer. */
  @property({ attribute: false }) onPhrase: (phrase: string) => void = () => {};
  /** Called with the selected day, or with both ends of a range, one of which can be `null`. */
  @property({ attribute: false }) onDays: (days: readonly (string | null)[]) => void = () => {};

  @state() private problem: EntryProblem | null = null;

  #today = '';
  #valuesBefore: readonly FilterValue[] = [];

  protected override willUpdate(): void {
    this.#today = dayIn(this.timezone, Date.now());
    if (JSON.stringify(this.#valuesBefore) === JSON.stringify(this.values)) return;
    this.#valuesBefore = this.values;
    this.problem = null;
  }

  override render(): TemplateResult | typeof nothing {
    const { speech, offers } = this;
    if (!speech) return nothing;
    return html`${offers.phrases ? this.#renderPhrases(speech) : nothing}
      ${offers.days === 'none' ? nothing : this.#renderDays(speech, { isOne: offers.days === 'one' })}`;
  }

  /** Focuses the current relative date if there is one, otherwise the first field. */
  override focus(): void {
    const found =
      this.renderRoot.querySelector<HTMLElement>('[name=period]:checked') ??
      this.renderRoot.querySelector<HTMLElement>('input');
    found?.focus();
  }

  #renderPhrases(speech: LabelContext): TemplateResult {
    const chosen = this.#phrase;
    const known = chosen === null || phrases.some(phrase => phrase === chosen) ? phrases : [chosen, ...phrases];
    const handle = (event: Event): void => {
      if (event.target instanceof HTMLInputElement) this.onPhrase(event.target.value);
    };
    return html`<fieldset class="phrases" @change=${handle}>
      <legend class="unseen">${speech.words.period}</legend>
      ${known.map(
        phrase => html`<label class="phrase">
          <input type="radio" class="unseen" name="period" value=${phrase} .checked=${live(phrase === chosen)} />
          <span>${valueText(phrase, 'time', speech)}</span>
        </label>`,
      )}
    </fieldset>`;
  }

  #renderDays(speech: LabelContext, { isOne }: { readonly isOne: boolean }): TemplateResult {
    const { words, locale } = speech;
    const { problem } = this;
    const ends = this.#ends;
    const range: Ends = isOne ? [ends[0], ends[0]] : ends;
    const labels = isOne ? [words.value] : [words.from, words.to];
    return html`<div class="days">
      <div class="entries">${labels.map((label, at) => this.#renderEntry(label, at, ends[at] ?? null, speech))}</div>
      <p class="problem" id="problem" role="alert">${problem?.words ?? ''}</p>
      <pa-calendar
        .setting=${{ locale, words, today: this.#today, bounds: this.bounds }}
        .range=${range}
        .single=${isOne}
        .onDays=${(start: string, end: string) => this.onDays(isOne ? [start] : [start, end])}
      ></pa-calendar>
    </div>`;
  }

  #renderEntry(label: string, at: number, day: string | null, { locale }: LabelContext): TemplateResult {
    const isWrong = this.problem?.at === at;
    const text = day === null ? '' : dayText(day, locale);
    return html`<label class="entry">
      <span>${label}</span>
      <input
        class="field"
        autocomplete="off"
        spellcheck="false"
        placeholder=${dayText(this.bounds.max ?? this.#today, locale)}
        aria-invalid=${isWrong ? 'true' : nothing}
        aria-describedby=${isWrong ? 'problem' : nothing}
        .value=${live(isWrong ? (this.problem?.text ?? '') : text)}
        @change=${(event: Event) => this.#handleEntry(event, at)}
      />
    </label>`;
  }

  #handleEntry(event: Event, at: number): void {
    const { speech } = this;
    if (!speech || !(event.target instanceof HTMLInputElement)) return;
    const { words, locale } = speech;
    const text = event.target.value.trim();
    const day = text === '' ? null : readDay(text, locale, this.#today);
    this.problem = null;
    if (day === null && text !== '') {
      this.problem = { at, text, words: words.dateFormat(dayText(this.bounds.max ?? this.#today, locale)) };
      return;
    }
    if (this.offers.days === 'one') {
      this.onDays(day === null ? [] : [day]);
      return;
    }
    const [start, end] = at === 0 ? [day, this.#ends[1]] : [this.#ends[0], day];
    if (start !== null && end !== null && start > end) this.problem = { at, text, words: words.endBeforeStart };
    else this.onDays([start, end]);
  }

  get #phrase(): string | null {
    const [value] = this.values;
    return typeof value === 'string' && dayOf(value) === null ? value : null;
  }

  /** The days in effect, including those of a relative date. */
  get #ends(): Ends {
    const phrase = this.#phrase;
    if (phrase !== null) return phraseDays(phrase, this.#today) ?? [null, null];
    const [start, end] = this.values;
    return [dayOf(start), dayOf(end)];
  }
}

function dayOf(value: FilterValue | undefined): string | null {
  const day = typeof value === 'string' ? value.slice(0, 10) : '';
  return Number.isNaN(dayTime(day)) ? null : day;
}

register('pa-date-editor', PaDateEditor);

declare global {
  interface HTMLElementTagNameMap {
    'pa-date-editor': PaDateEditor;
  }
}
