import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type ChatStep, type DataResult, readDataResult } from '../../../controllers/chat/chat-result.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { chatTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { controls } from '../../parts/tokens.styles.js';
import type { ToolRenderers } from '../chat-context.js';
import { type IconName, icon } from '../part-icons.js';
import { stepStyles } from './step.styles.js';
import { type StepMessages, stepMessages } from './step-messages.js';

const stepCatalog = defineCatalog(stepMessages, chatTranslations('step'));

/** What is known of a step beside itself. */
interface StepFacts {
  /** Rows that a query found in all. */
  readonly rows: number | null;
  readonly seconds: number | null;
  readonly locale: string;
  readonly messages: StepMessages;
}

const icons: Readonly<Record<string, IconName>> = { dataQuery: 'database', sqlApi: 'database', modelMeta: 'search' };

/** Less is not worth a word, in seconds. */
const shortest = 0.05;

/** The one line that a step folds into: `Queried the data · 0.4 s · 12 rows`. */
function stepLine(step: ChatStep, facts: StepFacts): { readonly icon: IconName; readonly text: string } {
  const { rows, seconds, locale, messages } = facts;
  const extras = [
    seconds === null || seconds < shortest
      ? null
      : messages.seconds(new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(seconds)),
    rows === null ? null : messages.rowCount(rows),
  ].filter(extra => extra !== null);
  return {
    icon: step.status === 'failed' ? 'warning' : (icons[step.name] ?? 'wrench'),
    text: [words(step, messages), ...extras].join(' · '),
  };
}

function words({ name, status }: ChatStep, messages: StepMessages): string {
  const isQuery = icons[name] === 'database';
  const isSearch = icons[name] === 'search';
  switch (status) {
    case 'running':
      if (isQuery) return messages.querying;
      return isSearch ? messages.searchingModel : messages.usingTool(name);
    case 'failed':
      return isQuery ? messages.queryFailed : messages.toolFailed(name);
    case 'done':
      if (isQuery) return messages.queried;
      return isSearch ? messages.searchedModel : messages.usedTool(name);
  }
}

/**
 * A tool at work: one line that opens to what was asked, and below it the rows that came of it. A renderer of the host's takes the
 * place of the rows, or of an unknown tool's result.
 *
 * @summary One step of an answer, inside a chat.
 * @tagname pa-chat-step
 * @csspart step - The line, with what it opens to.
 * @csspart code - A query, or what a tool was given and gave back.
 */
export class PaChatStep extends LitElement {
  static override styles = [controls, stepStyles];

  readonly #locale = new LocaleController(this, stepCatalog, () => this.locale);

  /** The step; a newer state of it is another object. */
  @property({ attribute: false }) step: ChatStep | null = null;
  /** The session that all rows of a result are loaded with; null where the chat has none. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Language of the chat, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;
  /** The host's own renderers, by the name of the tool. */
  @property({ attribute: false }) renderers: ToolRenderers = {};

  /** No row may leave the page by a download or a copy. */
  @property({ attribute: false }) restricted = true;

  @state() private copied = false;

  #result: DataResult | null = null;
  #startedAt: number | null = null;
  #seconds: number | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('step')) return;
    const { step } = this;
    this.copied = false;
    this.#result = step?.status === 'done' ? readDataResult(step.result) : null;
    if (this.#result) void import('./pa-chat-result.js').catch(() => {});
    // Only a step that was seen to begin has a duration.
    if (step?.status === 'running') this.#startedAt ??= performance.now();
    else if (this.#startedAt !== null) this.#seconds ??= (performance.now() - this.#startedAt) / 1000;
  }

  override render(): TemplateResult | typeof nothing {
    const { step } = this;
    if (!step) return nothing;
    const { locale, messages } = this.#locale.value;
    const line = stepLine(step, { rows: this.#result?.totalRows ?? null, seconds: this.#seconds, locale, messages });
    return html`<details part="step" class=${step.status}>
        <summary>
          ${icon(line.icon)}<span>${line.text}</span>${icon('chevron')}
        </summary>
        ${this.#renderDetails(step)}
      </details>
      ${this.#renderResult(step)}`;
  }

  #renderDetails(step: ChatStep): TemplateResult {
    const { messages } = this.#locale.value;
    const { query, description } = this.#result ?? { query: null, description: '' };
    return html`<div class="details">
      ${step.error === null ? nothing : html`<p class="error">${step.error}</p>`}
      ${description ? html`<p>${description}</p>` : nothing}
      ${query ? this.#renderCode(messages.query, query) : this.#renderCode(messages.input, step.input)}
      ${this.#result || step.status !== 'done' ? nothing : this.#renderCode(messages.result, step.result)}
    </div>`;
  }

  #renderCode(label: string, value: unknown): TemplateResult | typeof nothing {
    const { messages } = this.#locale.value;
    const text = printed(value);
    if (text === '') return nothing;
    return html`<figure>
      <figcaption>
        ${label}
        <button type="button" part="button" class="quiet" @click=${() => this.#handleCopy(text)}>
          ${this.copied ? messages.copied : messages.copy}
        </button>
      </figcaption>
      <pre part="code" tabindex="0" dir="ltr"><code>${text}</code></pre>
    </figure>`;
  }

  #renderResult(step: ChatStep): unknown {
    const own = this.#renderOwn(step);
    if (own) return html`<div class="own">${own}</div>`;
    if (!this.#result) return nothing;
    return html`<pa-chat-result
      exportparts="result, heading, chart, tooltip, table, button"
      .result=${this.#result}
      .source=${this.source}
      .restricted=${this.restricted}
      .locale=${this.locale}
    ></pa-chat-result>`;
  }

  /** What the host's own renderer makes of it. One that throws is the host's to hear of, and shows as if there were none. */
  #renderOwn(step: ChatStep): unknown {
    try {
      return Object.hasOwn(this.renderers, step.name) ? this.renderers[step.name]?.(step) : null;
    } catch (error) {
      reportError(error);
      return null;
    }
  }

  async #handleCopy(text: string): Promise<void> {
    // A page that may not write to the clipboard shows the text all the same.
    await navigator.clipboard?.writeText(text).then(
      () => {
        this.copied = true;
      },
      () => {},
    );
  }
}

/** Most characters of a query or of a tool's input that are shown. */
const longest = 20_000;

function printed(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-step': PaChatStep;
  }
}
