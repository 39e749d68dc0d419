import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { DateBounds } from '../../../../report/controls/filter-editor.js';
import {
  addDays,
  addMonths,
  dayTime,
  firstWeekday,
  monthStart,
  weekOffset,
  weeksOf,
} from '../../../../report/dates/calendar-days.js';
import { dayFormat } from '../../../../report/dates/date-input.js';
import { formattingLocale } from '../../../../report/format/locale.js';
import { register } from '../../../register.js';
import { controls } from '../../tokens.styles.js';
import type { ControlsMessages } from '../controls-messages.js';
import { calendarStyles } from './calendar.styles.js';

/** Maximum length of a weekday name that fits a column. */
const maxWeekdayLength = 4;
/** Matches windows that fit two months. */
const wide = '(width >= 800px)';

/** Locale data of the calendar. */
export interface CalendarSetting {
  readonly locale: string;
  readonly words: ControlsMessages;
  readonly today: string;
  readonly bounds: DateBounds;
}

interface Formats {
  readonly month: Intl.DateTimeFormat;
  readonly number: Intl.NumberFormat;
  readonly whole: Intl.DateTimeFormat;
  /** Short and long weekday names, in column order. */
  readonly weekdays: readonly (readonly [string, string])[];
  readonly firstWeekday: number;
}

/**
 * Month grids in which the viewer selects a day or a range of days with the pointer or the keyboard.
 *
 * @summary The calendar of a date filter.
 * @tagname pa-calendar
 */
export class PaCalendar extends LitElement {
  static override styles = [controls, calendarStyles];

  @property({ attribute: false }) setting: CalendarSetting | null = null;
  /** First and last selected day; `null` for an open end. */
  @property({ attribute: false }) range: readonly [string | null, string | null] = [null, null];
  /** Whether a single day is selected instead of a range. */
  @property({ type: Boolean }) single = false;
  /** Called with the first and last day selected by the viewer. */
  @property({ attribute: false }) onDays: (start: string, end: string) => void = () => {};

  /** First of the displayed months. */
  @state() private shown: string | null = null;
  /** The day that Tab moves the focus to. */
  @state() private active: string | null = null;
  /** First day of an incomplete range. */
  @state() private begun: string | null = null;
  @state() private pointed: string | null = null;

  readonly #wide = matchMedia(wide);
  #formats: Formats | null = null;
  #formatsOf: string | null = null;
  #followed = '';
  #movesFocus = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#wide.addEventListener('change', this.#handleWidth);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#wide.removeEventListener('change', this.#handleWidth);
  }

  protected override willUpdate(): void {
    const { setting, range } = this;
    if (!setting) return;
    const { locale, bounds, today } = setting;
    if (locale !== this.#formatsOf) {
      this.#formats = formatsOf(locale);
      this.#formatsOf = locale;
    }
    const followed = JSON.stringify([range, bounds]);
    if (followed === this.#followed) return;
    this.#followed = followed;
    this.begun = null;
    this.active = range[0] ?? range[1] ?? within(today, bounds);
    if (this.shown === null || !this.#isVisible(this.active)) this.shown = this.#firstMonth(this.active);
  }

  protected override updated(): void {
    if (!this.#movesFocus) return;
    this.#movesFocus = false;
    this.focus();
  }

  override render(): TemplateResult | typeof nothing {
    const { setting, shown } = this;
    const formats = this.#formats;
    if (!setting || !formats || shown === null) return nothing;
    const { words } = setting;
    const months = Array.from({ length: this.#months }, (_, index) => addMonths(shown, index));
    return html`<div class="pager">
        ${this.#renderPager(-12, words.previousYear)} ${this.#renderPager(-1, words.previousMonth)}
        <span></span>
        ${this.#renderPager(1, words.nextMonth)} ${this.#renderPager(12, words.nextYear)}
      </div>
      <div class="months" @keydown=${this.#handleKey} @pointerleave=${() => this.#point(null)}>
        ${months.map((month, index) => this.#renderMonth(month, `month-${index}`, formats, setting))}
      </div>
      <p class="note" role="status">${this.begun === null ? '' : words.chooseEnd}</p>`;
  }

  /** Focuses the day in the tab order. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }

  #renderPager(months: number, label: string): TemplateResult {
    const isBack = months < 0;
    const one = isBack ? 'm15 18-6-6 6-6' : 'm9 18 6-6-6-6';
    const two = isBack ? 'm11 17-5-5 5-5m7 10-5-5 5-5' : 'm6 17 5-5-5-5m7 10 5-5-5-5';
    return html`<button type="button" class="page" aria-label=${label} title=${label} @click=${() => this.#page(months)}>
      <svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true">
        <path d=${Math.abs(months) === 12 ? two : one} />
      </svg>
    </button>`;
  }

  #renderMonth(month: string, id: string, formats: Formats, setting: CalendarSetting): TemplateResult {
    return html`<div class="month">
      <div class="title" id=${id} aria-live="polite">${formats.month.format(dayTime(month))}</div>
      <table role="grid" aria-labelledby=${id} aria-multiselectable=${this.single ? nothing : 'true'}>
        <thead>
          <tr>
            ${formats.weekdays.map(([short, long]) => html`<th scope="col" abbr=${long}>${short}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${weeksOf(month, formats.firstWeekday).map(
            week =>
              html`<tr>${week.map(day => (day === null ? html`<td></td>` : this.#renderDay(day, formats, setting)))}</tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  #renderDay(day: string, { number, whole }: Formats, { words, today, bounds }: CalendarSetting): TemplateResult {
    const [start, end] = this.#preview;
    const isEnd = day === start || day === end;
    const isInside = start !== null && end !== null && day >= start && day <= end;
    const isBeyond = (bounds.min !== null && day < bounds.min) || (bounds.max !== null && day > bounds.max);
    const classes = [
      'day',
      isInside && 'inside',
      day === start && 'start',
      day === end && 'end',
      isEnd && 'chosen',
      day === today && 'today',
      isBeyond && 'beyond',
    ];
    const name = whole.format(dayTime(day));
    return html`<td
      role="gridcell"
      class=${classes.filter(Boolean).join(' ')}
      data-day=${day}
      tabindex=${day === this.active ? '0' : '-1'}
      aria-label=${isBeyond ? `${name}, ${words.noData}` : name}
      aria-selected=${isInside || isEnd ? 'true' : 'false'}
      aria-current=${day === today ? 'date' : nothing}
      @click=${() => this.#choose(day)}
      @pointerenter=${() => this.#point(day)}
    >
      <span>${number.format(Number(day.slice(8)))}</span>
    </td>`;
  }

  /** The selected range, or the range that the next selected day would complete. */
  get #preview(): readonly [string | null, string | null] {
    if (this.begun === null) return this.range;
    const other = this.pointed ?? this.active ?? this.begun;
    return other < this.begun ? [other, this.begun] : [this.begun, other];
  }

  get #months(): number {
    return this.#wide.matches ? 2 : 1;
  }

  #isVisible(day: string): boolean {
    return this.shown !== null && day >= this.shown && day < addMonths(this.shown, this.#months);
  }

  /**
   * Returns the first month to display. The month of `day` is displayed last, because earlier days are more likely to
   * have rows, unless a range across several months starts in it.
   */
  #firstMonth(day: string): string {
    const month = monthStart(day);
    const isLast = this.range[0] === null || monthStart(this.range[0]) === monthStart(this.range[1] ?? this.range[0]);
    return isLast ? addMonths(month, 1 - this.#months) : month;
  }

  #page(months: number): void {
    if (this.shown === null || this.active === null) return;
    this.shown = addMonths(this.shown, months);
    if (!this.#isVisible(this.active)) this.active = addMonths(this.active, months);
  }

  #point(day: string | null): void {
    if (this.begun !== null) this.pointed = day;
  }

  #choose(day: string): void {
    this.active = day;
    this.#movesFocus = true;
    if (!this.single && this.begun === null) {
      this.begun = day;
      this.pointed = null;
      return;
    }
    const first = this.single ? day : (this.begun ?? day);
    this.begun = null;
    this.onDays(first < day ? first : day, first < day ? day : first);
  }

  readonly #handleKey = (event: KeyboardEvent): void => {
    const { active } = this;
    if (active === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!(event.target instanceof Element) || !event.target.matches('[data-day]')) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#choose(active);
      return;
    }
    const next = this.#dayByKey(event, active);
    if (next === null) return;
    event.preventDefault();
    this.active = next;
    this.pointed = null;
    this.#movesFocus = true;
    if (this.#isVisible(next)) return;
    const month = monthStart(next);
    this.shown = this.shown !== null && month < this.shown ? month : addMonths(month, 1 - this.#months);
  };

  #dayByKey({ key, shiftKey }: KeyboardEvent, day: string): string | null {
    const forward = getComputedStyle(this).direction === 'rtl' ? -1 : 1;
    const offset = weekOffset(day, this.#formats?.firstWeekday ?? 0);
    switch (key) {
      case 'ArrowLeft':
        return addDays(day, -forward);
      case 'ArrowRight':
        return addDays(day, forward);
      case 'ArrowUp':
        return addDays(day, -7);
      case 'ArrowDown':
        return addDays(day, 7);
      case 'Home':
        return addDays(day, -offset);
      case 'End':
        return addDays(day, 6 - offset);
      case 'PageUp':
        return addMonths(day, shiftKey ? -12 : -1);
      case 'PageDown':
        return addMonths(day, shiftKey ? 12 : 1);
      default:
        return null;
    }
  }

  readonly #handleWidth = (): void => {
    if (this.active !== null && !this.#isVisible(this.active)) this.shown = monthStart(this.active);
    this.requestUpdate();
  };
}

/** Returns the day, clamped to the range of days with rows. */
function within(day: string, { min, max }: DateBounds): string {
  if (max !== null && day > max) return max;
  return min !== null && day < min ? min : day;
}

function formatsOf(locale: string): Formats {
  const first = firstWeekday(locale);
  const format = (weekday: 'narrow' | 'short' | 'long') => dayFormat(locale, { weekday });
  // January 7, 2001 was a Sunday.
  const weekdays = Array.from({ length: 7 }, (_, index) => Date.UTC(2001, 0, 7 + first + index));
  const short = weekdays.map(time => format('short').format(time));
  // Some languages have no short weekday names.
  const columns = short.some(name => name.length > maxWeekdayLength) ? 'narrow' : 'short';
  return {
    month: dayFormat(locale, { month: 'long', year: 'numeric' }),
    number: new Intl.NumberFormat(formattingLocale(locale)),
    whole: dayFormat(locale, { dateStyle: 'full' }),
    weekdays: weekdays.map(time => [format(columns).format(time), format('long').format(time)]),
    firstWeekday: first,
  };
}

register('pa-calendar', PaCalendar);

declare global {
  interface HTMLElementTagNameMap {
    'pa-calendar': PaCalendar;
  }
}
