import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import {
  type ChatStep,
  type DashboardControlsResult,
  type DataResult,
  readControlsResult,
  readDataResult,
  ToolName,
} from '../../../controllers/chat/chat-result.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { chunkProblem, type Problem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { chatTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import type { MarkTarget } from '../../parts/mark-target.js';
import { problemNotice } from '../../parts/notice.js';
import { noticeStyles } from '../../parts/notice.styles.js';
import { retryLoad } from '../../parts/retry-load.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import type { ResultActions, ToolRenderers } from '../chat-context.js';
import type { ControlChange } from '../context/control-change.js';
import { type IconName, icon } from '../part-icons.js';
import type { PinContext } from '../pin/pin-element.js';
import { stepStyles } from './step.styles.js';
import { type StepMessages, stepMessages } from './step-messages.js';

const stepCatalog = defineCatalog(stepMessages, chatTranslations('step'));

/** Details of a step in its summary line. */
interface StepFacts {
  /** Total number of rows of a query. */
  readonly rows: number | null;
  readonly seconds: number | null;
  readonly locale: string;
  readonly messages: StepMessages;
}

const icons: Readonly<Record<string, IconName>> = {
  dataQuery: 'database',
  sqlApi: 'database',
  modelMeta: 'search',
  [ToolName.readQuestion]: 'search',
  [ToolName.setDashboardControls]: 'sliders',
};

/** Minimum duration that is shown, in seconds. */
const minSeconds = 0.05;

/** Renders the summary line of a step: `Queried the data · 0.4 s · 12 rows`. */
function stepLine(step: ChatStep, facts: StepFacts): { readonly icon: IconName; readonly text: string } {
  const { rows, seconds, locale, messages } = facts;
  const extras = [
    seconds === null || seconds < minSeconds
      ? null
      : messages.seconds(new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(seconds)),
    rows === null ? null : messages.rowCount(rows),
  ].filter(extra => extra !== null);
  return {
    icon: step.status === 'failed' ? 'warning' : (icons[step.name] ?? 'wrench'),
    text: [stepLabel(step, messages), ...extras].join(' · '),
  };
}

function stepLabel({ name, status }: ChatStep, messages: StepMessages): string {
  return labelsOf(name, messages)[status];
}

/** Returns the labels of a tool, by status. */
function labelsOf(name: string, messages: StepMessages): Readonly<Record<ChatStep['status'], string>> {
  switch (icons[name]) {
    case 'database':
      return { running: messages.querying, failed: messages.queryFailed, done: messages.queried };
    case 'search':
      return {
        running: messages.searchingModel,
        failed: messages.toolFailed(name),
        done: messages.searchedModel,
      };
    case 'sliders':
      return {
        running: messages.changingDashboard,
        failed: messages.dashboardFailed,
        done: messages.changedDashboard,
      };
    default:
      return { running: messages.usingTool(name), failed: messages.toolFailed(name), done: messages.usedTool(name) };
  }
}

/**
 * A tool call: one line that expands to its input, followed by the resulting rows. Rows that only support the answer
 * are part of the expanded content. A custom renderer of the host replaces the rows, or the result of an unknown tool.
 *
 * @summary One step of an answer, inside a chat.
 * @tagname pa-chat-step
 * @csspart step - The summary line and its details.
 * @csspart code - A query, or the input or result of a tool.
 */
export class PaChatStep extends LitElement {
  static override styles = [controls, noticeStyles, stepStyles];

  readonly #locale = new LocaleController(this, stepCatalog, () => this.locale);
  readonly #page = new LocaleController(this, pageCatalog, () => this.locale);

  /** The step; a new object for each state. */
  @property({ attribute: false }) step: ChatStep | null = null;
  /** The session that loads all rows of a result; `null` if the chat has none. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Language of the chat, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;
  /** The host's custom renderers, by tool name. */
  @property({ attribute: false }) renderers: ToolRenderers = {};

  /** Whether viewers may not download or copy rows. */
  @property({ attribute: false }) restricted = true;

  /** Actions on its result; `null` outside a chat. */
  @property({ attribute: false }) actions: ResultActions | null = null;

  /** The change to a dashboard that the step made; `null` if it made none on this page. */
  @property({ attribute: false }) change: ControlChange | null = null;
  /** The target to which the result can be pinned; `null` if the viewer may not pin it. */
  @property({ attribute: false }) pins: PinContext | null = null;
  /** The dashboard that marks of the result can filter; `null` if there is none. */
  @property({ attribute: false }) marks: MarkTarget | null = null;

  @state() private copied = false;
  /** Reason why the code of the result could not be loaded. */
  @state() private problem: Problem | null = null;

  #result: DataResult | null = null;
  #controls: DashboardControlsResult | null = null;
  #startedAt: number | null = null;
  #seconds: number | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('step')) return;
    const { step } = this;
    this.copied = false;
    this.#result = step?.status === 'done' ? readDataResult(step.result) : null;
    if (this.#result) this.#loadResult();
    const setsControls = step?.name === ToolName.setDashboardControls && step.status === 'done';
    this.#controls = setsControls ? readControlsResult(step.result) : null;
    if (this.#controls) loadControlChange();
    // The duration is known only if this page received the start of the step.
    if (step?.status === 'running') this.#startedAt ??= performance.now();
    else if (this.#startedAt !== null) this.#seconds ??= (performance.now() - this.#startedAt) / 1000;
  }

  override render(): TemplateResult | typeof nothing {
    const { step } = this;
    if (!step) return nothing;
    const { locale, messages } = this.#locale.value;
    const line = stepLine(step, { rows: this.#result?.totalRows ?? null, seconds: this.#seconds, locale, messages });
    const own = this.#renderOwn(step);
    const result = own ? html`<div class="own">${own}</div>` : this.#renderResult(step);
    const isSupporting = !own && this.#result?.isSupporting === true;
    return html`<details part="step" class=${step.status}>
        <summary>
          ${icon(line.icon)}<span>${line.text}</span>${icon('chevron')}
        </summary>
        ${this.#renderDetails(step)} ${isSupporting ? result : nothing}
      </details>
      ${isSupporting ? nothing : result}`;
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
    const text = printValue(value);
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
    if (this.#controls) return this.#renderControlChange(this.#controls);
    if (!this.#result) return nothing;
    if (this.problem) return problemNotice(this.problem, this.#page.value.messages, this.#handleRetry);
    return html`<pa-chat-result
      exportparts="result, heading, chart, tooltip, table, button"
      .result=${this.#result}
      .source=${this.source}
      .restricted=${this.restricted}
      .pins=${this.pins}
      .marks=${this.marks}
      .locale=${this.locale}
      .stepId=${step.id}
      .actions=${this.actions}
    ></pa-chat-result>`;
  }

  #renderControlChange(result: DashboardControlsResult): TemplateResult {
    return html`<pa-chat-control-change
      exportparts="button"
      .result=${result}
      .change=${this.change}
      .locale=${this.locale}
    ></pa-chat-control-change>`;
  }

  #loadResult(): void {
    retryLoad(() => import('./result-element.js')).catch(() => {
      this.problem = chunkProblem();
    });
  }

  readonly #handleRetry = (): void => {
    this.problem = null;
    this.#loadResult();
  };

  /** Renders the step with the host's renderer. If it throws, reports the error and uses the default rendering. */
  #renderOwn(step: ChatStep): unknown {
    try {
      return Object.hasOwn(this.renderers, step.name) ? this.renderers[step.name]?.(step) : null;
    } catch (error) {
      reportError(error);
      return null;
    }
  }

  async #handleCopy(text: string): Promise<void> {
    // If the page may not write to the clipboard, the text can still be selected.
    await navigator.clipboard?.writeText(text).then(
      () => {
        this.copied = true;
      },
      () => {},
    );
  }
}

function loadControlChange(): void {
  // If loading fails, the step shows its details without "Undo".
  import('../context/control-change-element.js').catch(() => {});
}

/** Maximum number of characters shown of a query or a tool's input. */
const maxTextLength = 20_000;

function printValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

register('pa-chat-step', PaChatStep);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-step': PaChatStep;
  }
}
