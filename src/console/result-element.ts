import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { QuerySql } from '../client/data/generated-sql.js';
import type { RowSet } from '../contract/row-set.js';
import { type ProposedChart, proposeChart } from '../report/chart/proposed-chart.js';
import { type CodeInput, toElement, toFetch, toYaml } from './code-texts.js';
import { formStyles } from './form.styles.js';
import { resultStyles } from './result.styles.js';

/** Result of a query of the playground. */
export interface PlaygroundResult {
  /** The query as code. Its `chart` is the proposed chart; `null` if a table suits the result better. */
  readonly code: CodeInput;
  readonly rowSet: RowSet;
  /** Time until the rows arrived, in ms. */
  readonly elapsedMs: number;
}

/** The SQL of a query: the statement, or the reason why there is none; `null` while it is requested. */
export type SqlResult = QuerySql | { readonly problem: string } | null;

/** Maximum height of a chart or table, px. */
const maxHeight = 600;

const tabs = ['chart', 'table', 'sql', 'yaml', 'fetch', 'html'] as const;
type Tab = (typeof tabs)[number];
const titles: Readonly<Record<Tab, string>> = {
  chart: 'Chart',
  table: 'Table',
  sql: 'SQL',
  yaml: 'YAML',
  fetch: 'fetch',
  html: 'HTML',
};
const explanations: Readonly<Record<Exclude<Tab, 'chart' | 'table'>, string>> = {
  sql: 'The statement that runs, with the row filters of the security context.',
  yaml: 'A report of dashboards as code: save it as reports/<publicId>.yml, and run pa-platform apply.',
  fetch: 'For a back end. It reads the API key from PA_ADMIN_KEY.',
  html: 'For a page of your product, with the session of its viewer.',
};

/**
 * Shows a result as chart, table, SQL and code to copy.
 *
 * @summary The result of the playground.
 * @tagname pa-console-result
 */
export class PaConsoleResult extends LitElement {
  static override styles = [formStyles, resultStyles];

  /** The result to show. */
  @property({ attribute: false }) result: PlaygroundResult | null = null;
  /** SQL of the query. */
  @property({ attribute: false }) sql: SqlResult = null;

  @state() private tab: Tab = 'chart';
  /** Whether the text of the current tab was copied. */
  @state() private isCopied = false;

  #chart: ProposedChart | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('result') || !this.result) return;
    const { code, rowSet } = this.result;
    this.#chart = code.chart && proposeChart(code.chart, { rowSet, query: code.query, locale: 'en' });
    this.isCopied = false;
  }

  protected override updated(): void {
    const rows = this.result?.rowSet.rows.length ?? 0;
    const heights = { chart: Math.max(360, (this.#chart?.categoriesDown ?? 0) * 20 + 80), table: rows * 32 + 120 };
    for (const [name, height] of Object.entries(heights)) {
      const report = this.renderRoot.querySelector<HTMLElement>(`.${name}`);
      report?.style.setProperty('--pa-report-height', `${Math.min(maxHeight, height)}px`);
    }
  }

  override render(): TemplateResult | typeof nothing {
    const { result } = this;
    if (!result) return nothing;
    const current = this.#current;
    return html`<div class="head">
        <div class="tabs" role="tablist" aria-label="Result" @keydown=${this.#handleKey}>
          ${tabs.map(tab => this.#renderTab(tab, current))}
        </div>
        <p class="facts" role="status">${this.#facts(result)}</p>
      </div>
      <div role="tabpanel" id="panel" aria-labelledby=${`tab-${current}`}>${this.#renderPanel(result, current)}</div>`;
  }

  #renderTab(tab: Tab, current: Tab): TemplateResult {
    const isCurrent = tab === current;
    return html`<button
      type="button"
      role="tab"
      id=${`tab-${tab}`}
      aria-selected=${isCurrent ? 'true' : 'false'}
      aria-controls="panel"
      tabindex=${isCurrent ? 0 : -1}
      ?disabled=${tab === 'chart' && !this.#chart}
      @click=${() => this.#select(tab)}
    >
      ${titles[tab]}
    </button>`;
  }

  #renderPanel({ code, rowSet }: PlaygroundResult, tab: Tab): TemplateResult {
    switch (tab) {
      case 'chart':
        return html`<pa-report
          class="chart"
          .snapshot=${{ kind: 'vega', title: code.title, spec: this.#chart?.spec }}
          .rows=${this.#chart?.rowSet ?? null}
        ></pa-report>`;
      case 'table':
        if (rowSet.rows.length === 0)
          return html`<p class="empty">No rows. Check the filters and the viewer under “View as”.</p>`;
        return html`<pa-report class="table" .snapshot=${{ kind: 'table', title: code.title }} .rows=${rowSet}></pa-report>`;
      case 'sql':
        return this.#renderSql();
      default:
        return this.#renderCode(tab, { yaml: toYaml, fetch: toFetch, html: toElement }[tab](code));
    }
  }

  #renderSql(): TemplateResult {
    const { sql } = this;
    if (sql === null) return html`<p class="empty">Loading the SQL …</p>`;
    if ('problem' in sql) return html`<p class="empty">${sql.problem}</p>`;
    const values = sql.parameters.map((value, index) => `-- $${index + 1} = ${JSON.stringify(value)}`);
    // The compiler indents all lines but the first one.
    return this.#renderCode('sql', [sql.text.replaceAll(/\n {4}/g, '\n'), ...values].join('\n'));
  }

  #renderCode(tab: Exclude<Tab, 'chart' | 'table'>, text: string): TemplateResult {
    return html`<div class="code">
      <div class="explanation">
        <p class="hint">${explanations[tab]}</p>
        <button type="button" id="copy" @click=${() => this.#copy(text)}>${this.isCopied ? 'Copied' : 'Copy'}</button>
        <span class="unseen" role="status">${this.isCopied ? 'Copied to the clipboard' : ''}</span>
      </div>
      <pre tabindex="0" class=${tab} aria-label=${titles[tab]}><code>${text}</code></pre>
    </div>`;
  }

  #facts({ rowSet, elapsedMs, code }: PlaygroundResult): string {
    const number = new Intl.NumberFormat('en');
    const count = rowSet.rows.length;
    const isCut = rowSet.truncated || count === code.query.limit;
    const rows = `${isCut ? 'First ' : ''}${number.format(count)} ${count === 1 ? 'row' : 'rows'}`;
    return `${rows} · ${number.format(Math.round(elapsedMs))} ms`;
  }

  get #current(): Tab {
    return this.tab === 'chart' && !this.#chart ? 'table' : this.tab;
  }

  #select(tab: Tab): void {
    this.tab = tab;
    this.isCopied = false;
  }

  readonly #handleKey = async (event: KeyboardEvent): Promise<void> => {
    const available = tabs.filter(tab => tab !== 'chart' || this.#chart);
    const at = available.indexOf(this.#current);
    const steps: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = available.at(next % available.length);
    if (tab === undefined) return;
    this.#select(tab);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`#tab-${tab}`)?.focus();
  };

  async #copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.isCopied = true;
    } catch {
      // Without access to the clipboard, the viewer copies the selection.
      const block = this.renderRoot.querySelector('pre');
      if (block) getSelection()?.selectAllChildren(block);
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-console-result': PaConsoleResult;
  }
}
