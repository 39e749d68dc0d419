import '../../parts/tile/pa-tile.js';
import './member-picker-element.js';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import {
  type EditorRestrictions,
  type EditorTool,
  offeredMembers,
} from '../../../controllers/creator/editor-restrictions.js';
import { ExploreController, type ExploredModel } from '../../../controllers/creator/explore-controller.js';
import type { NewReport } from '../../../controllers/creator/workbook-service.js';
import { loadedValue } from '../../../controllers/load-controller.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { chunkProblem, type Problem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { type Comparisons, earlierPeriod, followDraft } from '../../../report/explore/compared-period.js';
import { type Member, membersByName } from '../../../report/explore/members.js';
import {
  type Draft,
  emptyDraft,
  fromQuery,
  isRunnable,
  toggleMember,
  toQuery,
} from '../../../report/explore/query-draft.js';
import { type VisualizationOptions, visualizations } from '../../../report/explore/visualization-options.js';
import { allowedVisualizations, fieldsOf } from '../../../report/explore/visualizations.js';
import { icon } from '../../creator/creator-icons.js';
import { dialogStyles } from '../../creator/dialog.styles.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { controlsCatalog } from '../../parts/controls/controls-catalog.js';
import { notice, problemDetails } from '../../parts/notice.js';
import { noticeStyles } from '../../parts/notice.styles.js';
import { retryLoad } from '../../parts/retry-load.js';
import { skeleton, skeletonStyles } from '../../parts/skeleton.js';
import { noHost, type TileHost } from '../../parts/tile/tile-host.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import {
  beforeOf,
  type ChosenVisualization,
  createPreview,
  optionsOf,
  type Preview,
  visualizationOf,
  writtenTexts,
} from './chart-preview.js';
import { exploreStyles } from './explore.styles.js';
import { exploreCatalog } from './explore-catalog.js';
import { renderComparison, renderOptions } from './options-form.js';
import { renderQuery } from './query-form.js';
import { renderSelection } from './selected-fields.js';
import type { WrittenChart } from './spec-dialog-element.js';
import { renderVisualizations } from './visualization-bar.js';

/** The editable parts of a report, as text for comparisons. */
interface ExploreState {
  readonly query: string;
  readonly rest: string;
}

/**
 * Builds a chart: fields, filters, order and limit, with the result shown immediately.
 *
 * @summary The part of the editor in which charts are created.
 * @tagname pa-explore
 */
class PaExplore extends LitElement {
  static override styles = [controls, noticeStyles, skeletonStyles, dialogStyles, exploreStyles];

  readonly #locale = new LocaleController(this, exploreCatalog, () => this.locale);
  readonly #explored = new ExploreController(this, {
    source: () => this.source,
    onProblem: problem => this.onProblem(problem),
  });

  @property({ attribute: false }) source: SessionSource | null = null;
  /** Language of the editor, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;
  /** The report to change; `null` for a new one. */
  @property({ attribute: false }) report: ReportSnapshot | null = null;
  /** Whether downloading and copying rows is disabled. */
  @property({ attribute: false }) restricted = true;
  /** Restrictions that the page sets for the editor. */
  @property({ attribute: false }) restrictions: EditorRestrictions = {};
  /** Called with the chart. Rejects if it could not be stored. */
  @property({ attribute: false }) onSave: (report: NewReport) => Promise<void> = async () => {};
  /** Called when the user returns without saving a change. */
  @property({ attribute: false }) onCancel: () => void = () => {};
  @property({ attribute: false }) onProblem: (problem: Problem) => void = () => {};

  @state() private draft: Draft = emptyDraft;
  @state() private visualization: ChosenVisualization = 'auto';
  @state() private options: VisualizationOptions = {};
  @state() private comparisons: Comparisons = [];
  /** The chart as the user has written it; `null` if the user has written none. */
  @state() private written: WrittenChart | null = null;
  @state() private hasOptions = false;
  /** Whether the dialog with the text of the chart is shown. */
  @state() private isWriting = false;
  /** Why the dialog could not be loaded. */
  @state() private problem: Problem | null = null;
  /** The title that the user typed; if `null`, the title is derived from the query. */
  @state() private ownTitle: string | null = null;
  /** The text of the title field while it has the focus, so that a new result does not replace it; otherwise `null`. */
  @state() private focusedTitle: string | null = null;
  @state() private isSaving = false;

  /** The report before the user changed it. */
  #initial: ExploreState | null = null;
  #isStarted = false;
  #preview: Preview | null = null;
  /** Input from which the preview was created. */
  #inputs: readonly unknown[] = [];
  #host: TileHost = noHost;

  constructor() {
    super();
    // The filters and the tile use the messages of a dashboard.
    new LocaleController(this, pageCatalog, () => this.locale);
    new LocaleController(this, controlsCatalog, () => this.locale);
  }

  protected override willUpdate(changed: PropertyValues & Map<string, unknown>): void {
    if (changed.has('restricted')) this.#host = { ...noHost, restricted: this.restricted };
    const model = loadedValue(this.#explored.model);
    if (model && !this.#isStarted) this.#start(model);
    else if (changed.has('draft')) this.comparisons = followDraft(this.comparisons, this.draft);
    if (this.#isStarted) this.#explored.run(isRunnable(this.draft) ? toQuery(this.draft) : null);
    this.#improve();
  }

  protected override firstUpdated(): void {
    // Move the focus here, because the button that had it was removed.
    this.renderRoot.querySelector<HTMLElement>('.bar')?.focus({ preventScroll: true });
  }

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    const { model } = this.#explored;
    const loaded = loadedValue(model);
    return html`${this.#renderBar()}
      <div class="explore">
        <aside>${loaded ? this.#renderPicker(loaded) : this.#renderModelState()}</aside>
        <section class="work">
          ${loaded && loaded.sources.length === 0 ? notice(messages.explore.noModel) : nothing}
          ${loaded ? this.#renderForm(loaded) : nothing} ${this.#renderResult()}
        </section>
      </div>
      ${this.#renderProblem()} ${this.#renderWriting()}`;
  }

  #renderBar(): TemplateResult {
    const { explore, cancel } = this.#locale.value.messages;
    const name = this.report?.title || this.report?.name || explore.newChart;
    return html`<div class="bar" role="group" tabindex="-1" aria-label=${name}>
      <label class="title">
        <span>${explore.title}</span>
        <input
          maxlength="255"
          dir="auto"
          autocomplete="off"
          placeholder=${explore.newChart}
          .value=${this.focusedTitle ?? this.ownTitle ?? this.#preview?.title ?? ''}
          @focus=${this.#handleTitle}
          @input=${this.#handleTitle}
          @blur=${this.#handleTitle}
        />
      </label>
      <button type="button" @click=${this.onCancel}>${cancel}</button>
      <button type="button" class="primary" ?disabled=${!this.#isCurrent || this.isSaving} @click=${this.#handleSave}>
        ${icon(this.report ? 'check' : 'plus')} ${this.report ? explore.save : explore.add}
      </button>
    </div>`;
  }

  #renderModelState(): TemplateResult {
    const { messages } = this.#locale.value;
    const { model } = this.#explored;
    if (model.status !== 'failed') return html`<p role="status">${messages.explore.loading}</p>`;
    const retry = { label: messages.retry, run: () => void this.#explored.reloadModel() };
    return notice(messages.failed[model.problem.kind], retry, problemDetails(model.problem, messages));
  }

  #renderPicker({ sources }: ExploredModel): TemplateResult {
    return html`<pa-member-picker
      .sources=${offeredMembers(sources, this.restrictions)}
      .selected=${new Set(this.draft.members.map(({ name }) => name))}
      .filtered=${new Set([...this.draft.filters.keys()].map(({ name }) => name))}
      .offersNames=${this.source?.settings?.showMemberNames !== false}
      .offersGrouping=${this.source?.settings?.showGroupByPlatform !== false && sources.length > 1}
      .messages=${this.#locale.value.messages}
      .onToggle=${this.#handleToggle}
      .onFilter=${this.#handleFilter}
    ></pa-member-picker>`;
  }

  #renderForm({ facts }: ExploredModel): TemplateResult {
    const { messages, locale } = this.#locale.value;
    const { draft } = this;
    const hasUneditableParts = Object.keys(draft.rest).length > 0;
    return html`<div class="form">
      ${renderSelection(draft.members, messages, this.#handleToggle)}
      ${renderQuery({
        draft,
        facts,
        source: this.source,
        words: messages.form,
        locale,
        hasTimezone: false,
        more: this.#offers('compare')
          ? renderComparison(draft, this.comparisons, messages.options, next => {
              this.comparisons = next;
            })
          : nothing,
        onChange: next => {
          this.draft = next;
        },
      })}
      ${hasUneditableParts ? html`<p class="hint">${messages.explore.uneditableParts}</p>` : nothing}
    </div>`;
  }

  #renderResult(): TemplateResult {
    const { messages } = this.#locale.value;
    const { rows } = this.#explored;
    if (rows.status === 'failed') {
      const retry = { label: messages.retry, run: () => void this.#explored.reload() };
      const details = problemDetails(rows.problem, messages);
      return html`<div class="result">${notice(messages.failed[rows.problem.kind], retry, details)}</div>`;
    }
    const rowSet = loadedValue(rows);
    if (!isRunnable(this.draft) || !rowSet || !this.#preview) {
      const isRunning = rows.status === 'loading' && isRunnable(this.draft);
      return html`<div class="result">${isRunning ? skeleton('bars') : notice(messages.explore.start)}</div>`;
    }
    return html`${this.#renderVisualizations(rowSet)} ${this.hasOptions ? this.#renderOptions(rowSet) : nothing}
      <div class=${rows.status === 'loading' ? 'result stale' : 'result'}>
        ${
          rowSet.rows.length === 0
            ? notice(messages.explore.noRows)
            : html`<pa-tile
                .content=${this.#preview.content}
                .rows=${this.#preview.needsMore ? null : rowSet}
                .source=${this.source}
                .host=${this.#host}
                .heading=${this.ownTitle ?? this.#preview.title}
                .level=${3}
                .isRequested=${true}
              ></pa-tile>`
        }
      </div>`;
  }

  #renderVisualizations(rowSet: RowSet): TemplateResult {
    const possible = new Set<ChosenVisualization>(allowedVisualizations(rowSet, this.restrictions.looks));
    const all: readonly ChosenVisualization[] = this.#hasOwnVisualization ? ['own', ...visualizations] : visualizations;
    const { length } = rowSet.rows;
    return renderVisualizations({
      visualizations: all.filter(visualization => visualization === 'own' || possible.has(visualization)),
      chosen: this.#effectiveVisualization(possible),
      isWritten: this.written !== null,
      hasOptions: this.hasOptions,
      canWrite: this.#offers('specification') && !this.restrictions.looks,
      isRunning: this.#explored.rows.status === 'loading',
      count: length,
      isCut: rowSet.truncated || length === this.draft.limit,
      messages: this.#locale.value.messages,
      onChoose: visualization => {
        this.visualization = visualization;
      },
      onOptions: () => {
        this.hasOptions = !this.hasOptions;
      },
      onWrite: () => void this.#handleWriting(),
    });
  }

  #renderOptions(rowSet: RowSet): TemplateResult {
    const { messages } = this.#locale.value;
    const { visualization, options } = this;
    const earlier = earlierPeriod(this.comparisons, messages.options.earlier);
    const fields = visualization === 'own' ? [] : fieldsOf(visualization, rowSet, { options, earlier });
    if (fields.length === 0) return html`<p class="hint">${messages.options.noOptions}</p>`;
    return html`<div class="options" role="group" aria-label=${messages.options.show}>
      ${renderOptions({
        fields,
        words: messages.options,
        onChange: (key, value) => {
          this.options = { ...this.options, [key]: value };
        },
      })}
    </div>`;
  }

  #renderProblem(): TemplateResult | typeof nothing {
    if (!this.problem) return nothing;
    const [title, hint] = this.#locale.value.messages.failed[this.problem.kind];
    return html`<p class="warning" role="alert">${title}. ${hint}</p>`;
  }

  #renderWriting(): TemplateResult | typeof nothing {
    const rowSet = loadedValue(this.#explored.rows);
    if (!this.isWriting || !rowSet || !this.#preview) return nothing;
    const earlier = earlierPeriod(this.comparisons, this.#locale.value.messages.options.earlier);
    const members = rowSet.columns.map(({ member }) => member);
    const compared = earlier ? this.comparisons.map(({ measure }) => earlier.columnOf(measure)) : [];
    return html`<pa-spec-dialog
      .messages=${this.#locale.value.messages}
      .format=${this.#preview.meta.kind === 'html' ? 'html' : 'vega'}
      .texts=${writtenTexts(this.#preview, rowSet)}
      .columns=${[...members, ...compared]}
      .onApply=${this.#handleWritten}
      .onClose=${this.#handleWritingClosed}
    ></pa-spec-dialog>`;
  }

  /** Whether the chart has a specification that the form cannot express. */
  get #hasOwnVisualization(): boolean {
    return this.written !== null || (this.report !== null && visualizationOf(this.report) === null);
  }

  #offers(tool: EditorTool): boolean {
    return !this.restrictions.hiddenTools?.includes(tool);
  }

  /** Whether the result belongs to the current query, so that the visualization fits it. */
  get #isCurrent(): boolean {
    const { rows, query } = this.#explored;
    const isRun = isRunnable(this.draft) && JSON.stringify(query) === JSON.stringify(toQuery(this.draft));
    return isRun && rows.status === 'ready' && this.#preview !== null;
  }

  #effectiveVisualization(possible: ReadonlySet<ChosenVisualization>): ChosenVisualization {
    const [first = 'auto'] = possible;
    return this.visualization === 'own' || possible.has(this.visualization) ? this.visualization : first;
  }

  #start({ sources }: ExploredModel): void {
    this.#isStarted = true;
    const query = this.report?.meta?.jsonQuery;
    this.draft = query ? fromQuery(query, membersByName(sources)) : emptyDraft;
    this.visualization = this.report ? (visualizationOf(this.report) ?? 'own') : 'auto';
    this.options = this.report ? optionsOf(this.report) : {};
    this.comparisons = Array.isArray(this.report?.periodComparisons) ? this.report.periodComparisons : [];
    this.ownTitle = this.report?.title ?? this.report?.name ?? null;
    this.#initial = this.#state;
  }

  /** The editable parts of the report, except a chart specification that the user has written. */
  get #state(): ExploreState {
    const { visualization, options, comparisons, ownTitle } = this;
    return {
      query: JSON.stringify(toQuery(this.draft)),
      rest: JSON.stringify([visualization, options, comparisons, ownTitle]),
    };
  }

  /** Updates the preview if the rows or the visualization have changed. */
  #improve(): void {
    const rowSet = loadedValue(this.#explored.rows);
    if (!rowSet) return;
    const { visualization, options, comparisons, written, report } = this;
    const { messages } = this.#locale.value;
    const inputs = [rowSet, visualization, options, comparisons, written, report, messages, this.restrictions];
    if (this.#preview && inputs.every((part, index) => part === this.#inputs[index])) return;
    this.#inputs = inputs;
    const { looks: offered } = this.restrictions;
    this.#preview = createPreview({
      rowSet,
      query: this.#explored.query,
      visualization: offered
        ? this.#effectiveVisualization(new Set<ChosenVisualization>(allowedVisualizations(rowSet, offered)))
        : visualization,
      options,
      comparisons,
      earlier: earlierPeriod(comparisons, messages.options.earlier),
      before: report ? beforeOf(report) : {},
      written,
    });
  }

  readonly #handleToggle = (member: Member): void => {
    this.draft = toggleMember(this.draft, member);
  };

  readonly #handleFilter = async (member: Member): Promise<void> => {
    const filters = new Map(this.draft.filters);
    const known = [...filters.keys()].find(({ name }) => name === member.name);
    if (known) filters.delete(known);
    else filters.set(member, null);
    this.draft = { ...this.draft, filters };
    await this.updateComplete;
    if (!known) this.renderRoot.querySelector<HTMLElement>(`pa-filter[data-member="${member.name}"]`)?.focus();
  };

  readonly #handleTitle = ({ type, target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    this.focusedTitle = type === 'blur' ? null : target.value;
    if (type === 'input') this.ownTitle = target.value || null;
  };

  readonly #handleWriting = async (): Promise<void> => {
    this.problem = null;
    try {
      await retryLoad(() => import('./spec-dialog-element.js'));
      this.isWriting = true;
    } catch {
      // Show the failure. The user can press the button again.
      this.problem = chunkProblem();
    }
  };

  readonly #handleWritten = (chart: WrittenChart): void => {
    this.written = chart;
    this.visualization = 'own';
  };

  readonly #handleWritingClosed = (): void => {
    this.isWriting = false;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[data-tool="text"]')?.focus());
  };

  readonly #handleSave = async (): Promise<void> => {
    const [preview, query] = [this.#preview, this.#explored.query];
    if (!preview || !query || !this.#isCurrent) return;
    const [before, now] = [this.#initial, this.#state];
    const given = before?.query === now.query ? this.report?.meta?.jsonQuery : null;
    if (given && before?.rest === now.rest && this.written === null) {
      // Nothing changed. Writing the report could still change how its author has written it.
      this.onCancel();
      return;
    }
    this.isSaving = true;
    await this.onSave({ title: this.ownTitle ?? preview.title, query: given ?? query, meta: preview.meta });
    this.isSaving = false;
  };
}

register('pa-explore', PaExplore);

declare global {
  interface HTMLElementTagNameMap {
    'pa-explore': PaExplore;
  }
}
