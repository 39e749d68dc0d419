import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { LocaleController } from '../controllers/locale-controller.js';
import { type Problem, toProblem } from '../controllers/problem.js';
import { pageCatalog } from '../elements/messages/page-catalog.js';
import { controlsCatalog } from '../elements/parts/controls/controls-catalog.js';
import { exploreMessages } from '../elements/workbook/explore/explore-messages.js';
import { renderQuery } from '../elements/workbook/explore/query-form.js';
import { queryChart, queryTitle } from '../report/chart/query-chart.js';
import { type ModelFacts, modelFacts } from '../report/controls/model-facts.js';
import { type Member, type MemberSource, membersByName, readModel } from '../report/explore/members.js';
import {
  type Draft,
  emptyDraft,
  firstDraft,
  isRunnable,
  keepVisible,
  toggleMember,
  toQuery,
} from '../report/explore/query-draft.js';
import { type Audience, anyone } from './audience.js';
import { formStyles } from './form.styles.js';
import { playgroundStyles } from './playground.styles.js';
import type { AudienceSession, PlatformAddress, PlaygroundApi } from './playground-api.js';
import type { PlaygroundResult, SqlResult } from './result-element.js';

/** The part of the model that a session sees. */
interface Model {
  readonly sources: readonly MemberSource[];
  readonly facts: ModelFacts;
}

/** A run of the query. */
type Run =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly abort: AbortController }
  | { readonly status: 'canceled' }
  | { readonly status: 'failed'; readonly problem: Problem };

/**
 * Builds a query against the model, runs it in an embed session, and shows the result.
 *
 * @summary The playground of the console.
 * @tagname pa-console-playground
 */
export class PaConsolePlayground extends LitElement {
  static override styles = [formStyles, playgroundStyles];

  /** Requests of the playground, with the key of the viewer. */
  @property({ attribute: false }) api: PlaygroundApi | null = null;
  /** Address of the platform, for the code to copy. */
  @property({ attribute: false }) address: PlatformAddress = { baseUrl: '', dataApiPath: '' };

  @state() private deploymentId = 0;
  @state() private audience: Audience = anyone;
  /** The model; `null` while it is loading. */
  @state() private model: Model | null = null;
  /** Reason why the model could not be loaded. */
  @state() private modelProblem: Problem | null = null;
  @state() private draft: Draft = emptyDraft;
  @state() private run: Run = { status: 'idle' };
  @state() private result: PlaygroundResult | null = null;
  @state() private sql: SqlResult = null;

  #session: AudienceSession | null = null;

  constructor() {
    super();
    // The filters use the messages of a dashboard.
    new LocaleController(this, pageCatalog, () => null);
    new LocaleController(this, controlsCatalog, () => null);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
    this.#session?.end();
    this.#session = null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('api') || !this.api) return;
    this.deploymentId = this.api.deployments[0]?.id ?? 0;
    void this.#view(anyone);
  }

  override render(): TemplateResult | typeof nothing {
    const { api } = this;
    if (!api) return nothing;
    return html`<div class="layout" @keydown=${this.#handleKey}>
      <aside class="panel" aria-label="Query">
        ${this.#renderDeployments(api)}
        <pa-console-audience
          ?open=${this.modelProblem !== null || this.model?.sources.length === 0}
          .audience=${this.audience}
          .userAttributes=${api.attributes}
          .onApply=${this.#view}
        ></pa-console-audience>
        ${this.#renderMembers()}
      </aside>
      <section class="work" aria-label="Result">
        ${this.#renderWork()}
      </section>
    </div>`;
  }

  #renderDeployments({ deployments }: PlaygroundApi): TemplateResult | typeof nothing {
    if (deployments.length < 2) return nothing;
    return html`<div class="field">
      <label for="deployment">Deployment</label>
      <select id="deployment" @change=${this.#handleDeployment}>
        ${deployments.map(
          ({ id, name }) => html`<option value=${id} ?selected=${id === this.deploymentId}>${name}</option>`,
        )}
      </select>
    </div>`;
  }

  #renderMembers(): TemplateResult {
    if (this.modelProblem) return html`<p class="error">${problemText(this.modelProblem)}</p>`;
    if (!this.model) return html`<p class="hint" role="status">Loading the model …</p>`;
    if (this.model.sources.length === 0) return html``;
    return html`<pa-member-picker
      .headingLevel=${2}
      .showsNames=${true}
      .sources=${this.model.sources}
      .selected=${new Set(this.draft.members.map(({ name }) => name))}
      .filtered=${new Set([...this.draft.filters.keys()].map(({ name }) => name))}
      .onToggle=${this.#handleToggle}
      .onFilter=${this.#handleFilter}
    ></pa-member-picker>`;
  }

  #renderWork(): unknown {
    const { model } = this;
    if (!model) return nothing;
    if (model.sources.length > 0) return html`${this.#renderQuery(model)} ${this.#renderResult()}`;
    return html`<div class="panel nothing" role="status">
      <h2>This viewer sees no members</h2>
      <p>
        No access policy of the model matches. Enter a security context, a group or a user attribute that a policy uses
        under “View as”, and apply it: for a policy with the value <code>{ securityContext.tenant }</code>, the context
        <code>{"tenant": "acme"}</code>.
      </p>
    </div>`;
  }

  #renderQuery({ facts }: Model): TemplateResult {
    const isRunning = this.run.status === 'running';
    return html`<div class="query">
      ${renderQuery({
        draft: this.draft,
        facts,
        source: this.#session?.source ?? null,
        words: exploreMessages.form,
        locale: 'en',
        hasTimezone: true,
        onChange: draft => {
          this.draft = draft;
        },
      })}
      <div class="actions">
        <button type="button" id="run" class="primary" ?disabled=${!isRunnable(this.draft)} @click=${this.#start}>Run</button>
        ${isRunning ? html`<button type="button" id="cancel" @click=${this.#handleCancel}>Cancel</button>` : nothing}
        <span class="hint" role="status">${this.#remark()}</span>
      </div>
    </div>`;
  }

  #renderResult(): TemplateResult {
    const { run, result } = this;
    if (run.status === 'failed') {
      return html`<div class="panel failure" role="alert">
        <h2>The query failed</h2>
        <p>${problemText(run.problem)}</p>
        ${run.problem.requestId ? html`<p class="hint">Request id: <code>${run.problem.requestId}</code></p>` : nothing}
      </div>`;
    }
    return html`<pa-console-result
      class=${run.status === 'running' ? 'dimmed' : nothing}
      .result=${result}
      .sql=${this.sql}
    ></pa-console-result>`;
  }

  #remark(): string {
    if (this.run.status === 'running') return 'Running …';
    if (this.run.status === 'canceled') return 'Canceled.';
    if (!isRunnable(this.draft)) return 'Select a measure or a dimension.';
    if (this.run.status === 'failed') return '';
    const isShown = this.result && JSON.stringify(this.result.code.query) === JSON.stringify(toQuery(this.draft));
    return isShown || !this.result ? '' : 'The query has changed.';
  }

  /** Creates a session for an audience, loads its model, and runs the current query or a default query. */
  readonly #view = async (audience: Audience): Promise<void> => {
    const { api } = this;
    if (!api) return;
    this.#stop();
    this.#session?.end();
    const session = api.openSession(this.deploymentId, audience);
    this.#session = session;
    this.audience = audience;
    this.model = null;
    this.modelProblem = null;
    this.result = null;
    this.run = { status: 'idle' };
    try {
      const meta = await session.source.meta({});
      if (session !== this.#session) return;
      const sources = readModel(meta);
      this.model = { sources, facts: modelFacts(meta) };
      const kept = keepVisible(this.draft, membersByName(sources));
      this.draft = isRunnable(kept) ? kept : firstDraft(sources);
      if (isRunnable(this.draft)) void this.#start();
    } catch (error) {
      if (session === this.#session) this.modelProblem = toProblem(session.source.error ?? error);
    }
  };

  readonly #start = async (): Promise<void> => {
    const { api, deploymentId, draft } = this;
    const source = this.#session?.source;
    if (!api || !source || !isRunnable(draft)) return;
    this.#stop();
    const abort = new AbortController();
    const { signal } = abort;
    this.run = { status: 'running', abort };
    this.sql = null;
    const query = toQuery(draft);
    const startedAt = performance.now();
    void api
      .sql(deploymentId, this.audience, query, signal)
      .catch((error: unknown) => ({ problem: sqlProblem(toProblem(error)) }))
      .then(sql => {
        if (!signal.aborted) this.sql = sql;
      });
    try {
      const rowSet = await source.load(query, { signal });
      if (signal.aborted) return;
      const chart = queryChart(rowSet);
      const code = { title: queryTitle(rowSet, chart), query, chart, audience: this.audience };
      const elapsedMs = performance.now() - startedAt;
      this.result = { code: { ...code, deploymentId, ...this.address }, rowSet, elapsedMs };
      this.run = { status: 'idle' };
    } catch (error) {
      if (!signal.aborted) this.run = { status: 'failed', problem: toProblem(error) };
    }
  };

  #stop(): void {
    if (this.run.status === 'running') this.run.abort.abort();
  }

  readonly #handleCancel = (): void => {
    this.#stop();
    this.run = { status: 'canceled' };
    // Move the focus, because the cancel button, which has it, disappears.
    this.renderRoot.querySelector<HTMLElement>('#run')?.focus();
  };

  readonly #handleDeployment = (event: Event): void => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    this.deploymentId = Number(event.target.value);
    void this.#view(this.audience);
  };

  readonly #handleToggle = (member: Member): void => {
    this.draft = toggleMember(this.draft, member);
  };

  readonly #handleFilter = async (member: Member): Promise<void> => {
    const filters = new Map(this.draft.filters);
    const has = filters.has(member);
    if (has) filters.delete(member);
    else filters.set(member, null);
    this.draft = { ...this.draft, filters };
    await this.updateComplete;
    if (!has) this.renderRoot.querySelector<HTMLElement>(`pa-filter[data-member="${member.name}"]`)?.focus();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void this.#start();
  };
}

/** Returns what failed and what to do. */
function problemText({ kind, message }: Problem): string {
  if (kind === 'unreachable' || kind === 'offline') return 'The platform does not respond. Check that it is running.';
  if (kind === 'timeout') return 'The query takes too long. Add a filter, or select fewer members.';
  return message || 'Unexpected error. Reload the page, and try again.';
}

function sqlProblem(problem: Problem): string {
  const reason = problemText(problem);
  return problem.status === 400
    ? `The SQL is not available, because its token has neither the groups nor the user attributes of the viewer. ${reason}`
    : reason;
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-console-playground': PaConsolePlayground;
  }
}
