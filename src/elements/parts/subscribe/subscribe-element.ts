import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type {
  CreateDashboardSubscription,
  DashboardSubscription,
  SubscriptionSchedule,
} from '../../../contract/embed-subscriptions.js';
import { loadedValue } from '../../../controllers/load-controller.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import { type Problem, toProblem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { SubscriptionsController } from '../../../controllers/subscriptions/subscriptions-controller.js';
import type { LabelContext } from '../../messages/control-label.js';
import { defineCatalog, viewerTranslations } from '../../messages/define-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { controlsCatalog } from '../controls/controls-catalog.js';
import { controlValuesOf, type ShownDashboard } from '../export/export-target.js';
import { notice, problemNotice } from '../notice.js';
import { noticeStyles } from '../notice.styles.js';
import { controls } from '../tokens.styles.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { filterWords } from './filter-words.js';
import { subscribeStyles } from './subscribe.styles.js';
import { type SubscribeMessages, subscribeMessages } from './subscribe-messages.js';

const subscribeCatalog = defineCatalog(subscribeMessages, viewerTranslations('subscribe'));

const frequencies = ['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY'] as const;
const formats = ['png', 'pdf'] as const;
/** A Sunday (weekday 0), for the names of weekdays. */
const sunday = Date.UTC(2026, 0, 4);
const dayMs = 86_400_000;
const weekdays = [1, 2, 3, 4, 5, 6, 0];
const defaultTime = '09:00';

/**
 * The button that opens the viewer's subscriptions to a dashboard by mail, and their dialog. Subscriptions are mailed
 * to the address of the session with the current control values.
 *
 * @summary The viewer's subscriptions to a dashboard.
 * @tagname pa-subscribe
 * @csspart subscribe-button - The button that opens the dialog.
 * @csspart dialog - The dialog.
 * @csspart dialog-title - The heading.
 * @csspart button - A button.
 * @csspart notice - Message shown instead of the form or the list.
 */
export class PaSubscribe extends LitElement {
  static override styles = [controls, noticeStyles, visuallyHiddenStyles, subscribeStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, subscribeCatalog, () => this.#outer.value.locale);
  readonly #words = new LocaleController(this, controlsCatalog, () => this.#outer.value.locale);
  readonly #subscriptions = new SubscriptionsController(this, {
    source: () => this.source,
    publicId: () => (this.opened ? (this.shown?.().publicId ?? null) : null),
  });

  /** The session. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Returns what the public element shows. */
  @property({ attribute: false }) shown: (() => ShownDashboard) | null = null;

  @state() private opened = false;
  @state() private frequency: SubscriptionSchedule = 'DAILY';
  /** Names of the actions in progress. Sending is slow and does not block other actions. */
  @state() private busy: ReadonlySet<string> = new Set();
  @state() private announcement = '';
  /** Localized reason why the last action failed; empty if it succeeded. */
  @state() private failure = '';

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    return html`<button part="subscribe-button" class="open" type="button" aria-haspopup="dialog" @click=${this.#open}>
        ${messages.subscribe}
      </button>
      <dialog
        part="dialog"
        aria-labelledby="title"
        @close=${this.#handleClose}
        @keydown=${(event: Event) => event.stopPropagation()}
      >
        ${this.opened ? this.#renderContent(messages) : nothing}
      </dialog>`;
  }

  #renderContent(messages: SubscribeMessages): TemplateResult {
    return html`<div class="head">
        <div id="title" part="dialog-title" role="heading" aria-level="2" tabindex="-1">${messages.subscribe}</div>
        <button part="button" type="button" @click=${this.#close}>${messages.close}</button>
      </div>
      ${this.#renderLoaded(messages)}
      <p class="problem" role="alert">${this.failure}</p>
      <div class="unseen" role="status">${this.announcement}</div>`;
  }

  #renderLoaded(messages: SubscribeMessages): TemplateResult {
    const { state } = this.#subscriptions;
    if (state.status === 'failed') {
      return problemNotice(state.problem, this.#outer.value.messages, () => void this.#subscriptions.reload());
    }
    const loaded = loadedValue(state);
    if (!loaded) return html`<p class="muted" role="status">${messages.loading}</p>`;
    return html`${loaded.email === null ? notice(messages.noEmail) : this.#renderForm(loaded.email, messages)}
      ${this.#renderList(loaded.items, messages)}`;
  }

  #renderForm(email: string, messages: SubscribeMessages): TemplateResult {
    const { frequency } = this;
    return html`<p>${messages.intro(`\u2068${email}\u2069`)}</p>
      <form @submit=${this.#handleSubmit}>
        <label>
          ${messages.frequency}
          <select name="frequency" .value=${frequency} @change=${this.#handleFrequency}>
            ${frequencies.map(
              each =>
                html`<option value=${each} ?selected=${each === frequency}>${messages.frequencies[each]}</option>`,
            )}
          </select>
        </label>
        ${frequency === 'WEEKLY' ? this.#renderWeekdays(messages) : nothing}
        ${frequency === 'MONTHLY' ? this.#renderMonthDays(messages) : nothing}
        ${
          frequency === 'HOURLY'
            ? nothing
            : html`<label>${messages.time}<input name="time" type="time" required value=${defaultTime} /></label>`
        }
        <label>
          ${messages.format}
          <select name="format">
            ${formats.map(each => html`<option value=${each}>${messages.formats[each]}</option>`)}
          </select>
        </label>
        <div class="submit">
          <span class="muted">${messages.zone(this.#timezone)}</span>
          <button part="button" type="submit" aria-disabled=${this.busy.has('add') ? 'true' : nothing}>${messages.subscribe}</button>
        </div>
      </form>`;
  }

  #renderWeekdays(messages: SubscribeMessages): TemplateResult {
    return html`<label>
      ${messages.weekday}
      <select name="weekday">
        ${weekdays.map(day => html`<option value=${day}>${this.#weekdayName(day)}</option>`)}
      </select>
    </label>`;
  }

  /** Renders the choice of a day that occurs in all months. */
  #renderMonthDays(messages: SubscribeMessages): TemplateResult {
    const { format } = new Intl.NumberFormat(this.#locale.value.locale);
    return html`<label>
      ${messages.monthDay}
      <select name="monthDay">
        ${Array.from({ length: 28 }, (_, index) => html`<option value=${index + 1}>${format(index + 1)}</option>`)}
      </select>
    </label>`;
  }

  #renderList(items: readonly DashboardSubscription[], messages: SubscribeMessages): TemplateResult {
    return html`<div id="own" role="heading" aria-level="3" tabindex="-1">${messages.own}</div>
      ${items.length === 0 ? html`<p class="muted">${messages.none}</p>` : nothing}
      <ul aria-labelledby="own">
        ${repeat(
          items,
          ({ id }) => id,
          item => this.#renderItem(item, messages),
        )}
      </ul>`;
  }

  #renderItem(item: DashboardSubscription, messages: SubscribeMessages): TemplateResult {
    const name = this.#scheduleOf(item, messages);
    const format = formats.find(each => each === item.notificationFormat);
    const details = [
      ...(format ? [messages.formats[format]] : []),
      ...filterWords(item, this.#speech),
      ...(item.isEnabled ? this.#nextOf(item, messages) : [messages.disabled]),
    ];
    const { id } = item;
    const send = () => void this.#run(`send ${id}`, async () => this.#send(id, messages));
    const end = () => void this.#run(`end ${id}`, async () => this.#end(id, messages));
    const isSending = this.busy.has(`send ${id}`);
    return html`<li>
      <div>
        <p>${name}</p>
        <p class="muted">${details.join(' · ')}</p>
      </div>
      <div class="actions">
        <button
          part="button"
          type="button"
          aria-label=${`${isSending ? messages.sending : messages.sendNow}: ${name}`}
          aria-disabled=${isSending ? 'true' : nothing}
          @click=${send}
        >
          ${isSending ? messages.sending : messages.sendNow}
        </button>
        <button part="button" type="button" aria-label=${`${messages.end}: ${name}`} @click=${end}>${messages.end}</button>
      </div>
    </li>`;
  }

  get #speech(): LabelContext {
    const { locale, messages } = this.#words.value;
    return { locale, words: messages, outer: this.#outer.value.messages, model: this.#subscriptions.model };
  }

  #scheduleOf(item: DashboardSubscription, messages: SubscribeMessages): string {
    const time = this.#timeOf(item.hour ?? 0, item.minute ?? 0);
    const { format } = new Intl.NumberFormat(this.#locale.value.locale);
    switch (item.scheduleType) {
      case 'HOURLY':
        return messages.hourly;
      case 'WEEKLY':
        return messages.weekly(this.#weekdayName(item.dayOfWeek ?? 1), time);
      case 'MONTHLY':
        return messages.monthly(format(item.dayOfMonth ?? 1), time);
      default:
        return messages.daily(time);
    }
  }

  #nextOf({ nextRunAt, timezone }: DashboardSubscription, messages: SubscribeMessages): string[] {
    if (!nextRunAt) return [];
    const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone } as const;
    return [messages.next(new Intl.DateTimeFormat(this.#locale.value.locale, options).format(new Date(nextRunAt)))];
  }

  #timeOf(hour: number, minute: number): string {
    const { format } = new Intl.DateTimeFormat(this.#locale.value.locale, { timeStyle: 'short', timeZone: 'UTC' });
    return format(sunday + (hour * 60 + minute) * 60_000);
  }

  #weekdayName(day: number): string {
    const { format } = new Intl.DateTimeFormat(this.#locale.value.locale, { weekday: 'long', timeZone: 'UTC' });
    return format(sunday + day * dayMs);
  }

  /** The time zone of the dashboard, or of the browser. */
  get #timezone(): string {
    return this.shown?.().timezone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  }

  readonly #handleFrequency = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    this.frequency = frequencies.find(each => each === value) ?? 'DAILY';
  };

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { shown } = this;
    if (!shown) return;
    const values = new FormData(event.target as HTMLFormElement);
    const [hour = 0, minute = 0] = String(values.get('time') ?? '')
      .split(':')
      .map(Number);
    const { frequency } = this;
    const dashboard = shown();
    const body: CreateDashboardSubscription = {
      scheduleType: frequency,
      ...(frequency !== 'HOURLY' && { hour, minute }),
      ...(frequency === 'WEEKLY' && { dayOfWeek: Number(values.get('weekday')) }),
      ...(frequency === 'MONTHLY' && { dayOfMonth: Number(values.get('monthDay')) }),
      timezone: this.#timezone,
      notificationFormat: values.get('format') === 'pdf' ? 'pdf' : 'png',
      locale: dashboard.locale,
      ...controlValuesOf(dashboard),
    };
    void this.#run('add', async () => {
      await this.#subscriptions.add(body);
      this.announcement = this.#locale.value.messages.subscribed;
    });
  };

  /** Ends a subscription. Moves the focus to the heading of the list, because the row and its button disappear. */
  async #end(id: number, messages: SubscribeMessages): Promise<void> {
    await this.#subscriptions.end(id);
    this.announcement = messages.ended;
    this.renderRoot.querySelector<HTMLElement>('#own')?.focus();
  }

  async #send(id: number, messages: SubscribeMessages): Promise<void> {
    this.announcement = messages.sending;
    const state = await this.#subscriptions.send(id);
    if (state === 'sent') this.announcement = messages.sent;
    else this.failure = state === 'dead' || state === 'canceled' ? messages.notSent : messages.sendingLater;
  }

  /** Runs an action, unless it is in progress, and shows its problem. */
  async #run(name: string, action: () => Promise<void>): Promise<void> {
    if (this.busy.has(name)) return;
    this.busy = new Set([...this.busy, name]);
    this.failure = '';
    this.announcement = '';
    try {
      await action();
    } catch (error) {
      this.announcement = '';
      this.failure = this.#reasonOf(toProblem(error));
    } finally {
      this.busy = new Set([...this.busy].filter(each => each !== name));
    }
  }

  #reasonOf({ kind, status }: Problem): string {
    const { messages } = this.#locale.value;
    if (status === 409) return messages.tooMany;
    return status === 429 ? messages.tooSoon : this.#outer.value.messages.problems[kind][0];
  }

  readonly #open = async (): Promise<void> => {
    this.opened = true;
    await this.updateComplete;
    this.renderRoot.querySelector('dialog')?.showModal();
    this.renderRoot.querySelector<HTMLElement>('#title')?.focus();
  };

  readonly #close = (): void => {
    this.renderRoot.querySelector('dialog')?.close();
  };

  readonly #handleClose = (): void => {
    this.opened = false;
    this.failure = '';
    this.announcement = '';
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-subscribe': PaSubscribe;
  }
}
