import '../../parts/tile/pa-tile.js';
import './member-picker-element.js';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import type { JsonObject } from '../../../contract/wire.js';
import { type EditorRestrictions, offeredMembers } from '../../../controllers/creator/editor-restrictions.js';
import { ExploreController, type ExploredModel } from '../../../controllers/creator/explore-controller.js';
import { type NewReport, reportMeta } from '../../../controllers/creator/workbook-service.js';
import { loadedValue } from '../../../controllers/load-controller.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import type { Problem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { queryChart, queryTitle } from '../../../report/chart/query-chart.js';
import { type Look, looks, metaOf, offeredLooks } from '../../../report/explore/looks.js';
import { type Member, membersByName } from '../../../report/explore/members.js';
import {
  type Draft,
  emptyDraft,
  fromQuery,
  isMissing,
  isRunnable,
  toggleMember,
  toQuery,
} from '../../../report/explore/query-draft.js';
import { icon } from '../../creator/creator-icons.js';
import { dialogStyles } from '../../creator/dialog.styles.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { controlsCatalog } from '../../parts/controls/controls-catalog.js';
import { notice, problemDetails } from '../../parts/notice.js';
import { noticeStyles } from '../../parts/notice.styles.js';
import { skeleton, skeletonStyles } from '../../parts/skeleton.js';
import { noHost, type TileHost } from '../../parts/tile/tile-host.js';
import type { TileContent } from '../../parts/tile/tile-view.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { workbookCatalog } from '../workbook-catalog.js';
import { exploreStyles } from './explore.styles.js';
import { renderQuery } from './query-form.js';

/** How the chart is shown: a look, or `own` for the appearance that the report was created with. */
type ChosenLook = Look | 'own';

/** The tile of the result, and the inputs that it was created from. */
interface Preview {
  readonly inputs: readonly unknown[];
  readonly content: TileContent;
  readonly meta: JsonObject;
  readonly title: string;
}

/**
 * Builds a chart: fields, filters, order and limit, with the result shown immediately.
 *
 * @summary The part of the editor in which charts are created.
 * @tagname pa-explore
 */
class PaExplore extends LitElement {
  static override styles = [controls, noticeStyles, skeletonStyles, dialogStyles, exploreStyles];

  readonly #locale = new LocaleController(this, workbookCatalog, () => this.locale);
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
  /** What the page allows the editor to offer. */
  @property({ attribute: false }) restrictions: EditorRestrictions = {};
  /** Called with the chart. Rejects if it could not be stored. */
  @property({ attribute: false }) onSave: (report: NewReport) => Promise<void> = async () => {};
  /** Called when the user returns without a change. */
  @property({ attribute: false }) onCancel: () => void = () => {};
  @property({ attribute: false }) onProblem: (problem: Problem) => void = () => {};

  @state() private draft: Draft = emptyDraft;
  @state() private look: ChosenLook = 'auto';
  /** The title that the user typed; if `null`, the title is derived from the query. */
  @state() private ownTitle: string | null = null;
  @state() private isSaving = false;

  #isStarted = false;
  #preview: Preview | null = null;
  #host: TileHost = noHost;

  constructor() {
    super();
    // The filters and the tile use the messages of a dashboard.
    new LocaleController(this, pageCatalog, () => this.locale);
    new LocaleController(this, controlsCatalog, () => this.locale);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('restricted')) this.#host = { ...noHost, restricted: this.restricted };
    const model = loadedValue(this.#explored.model);
    if (model && !this.#isStarted) this.#start(model);
    if (this.#isStarted) this.#explored.run(isRunnable(this.draft) ? toQuery(this.draft) : null);
    this.#improve();
  }

  protected override firstUpdated(): void {
    // The button that opened this view has been removed, and the focus with it.
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
      </div>`;
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
          .value=${this.ownTitle ?? this.#preview?.title ?? ''}
          @input=${this.#handleTitle}
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
      .messages=${this.#locale.value.messages}
      .onToggle=${this.#handleToggle}
      .onFilter=${this.#handleFilter}
    ></pa-member-picker>`;
  }

  #renderForm({ facts }: ExploredModel): TemplateResult {
    const { messages, locale } = this.#locale.value;
    const { draft } = this;
    const missing = draft.members.filter(isMissing);
    const isKept = Object.keys(draft.rest).length > 0;
    return html`<div class="form">
      ${this.#renderSelection()}
      ${
        missing.length > 0
          ? html`<p class="warning" role="status">
              ${messages.explore.missing(missing.map(({ name }) => name).join(', '))}
              <button type="button" @click=${() => this.#remove(missing)}>${messages.explore.removeMissing}</button>
            </p>`
          : nothing
      }
      ${renderQuery({
        draft,
        facts,
        source: this.source,
        words: messages.form,
        locale,
        hasTimezone: false,
        onChange: next => {
          this.draft = next;
        },
      })}
      ${isKept ? html`<p class="hint">${messages.explore.kept}</p>` : nothing}
    </div>`;
  }

  /** Renders the selected members as chips, in their order. */
  #renderSelection(): TemplateResult | typeof nothing {
    const { members } = this.draft;
    if (members.length === 0) return nothing;
    const { explore, remove } = this.#locale.value.messages;
    return html`<ul class="selection" aria-label=${explore.fields}>
      ${members.map(
        member => html`<li class=${member.kind}>
          <span>${member.title}</span>
          <button
            type="button"
            aria-label=${`${remove}: ${member.title}`}
            title=${remove}
            @click=${() => this.#handleToggle(member)}
          >
            ${icon('cross')}
          </button>
        </li>`,
      )}
    </ul>`;
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
    return html`${this.#renderLooks(rowSet)}
      <div class=${rows.status === 'loading' ? 'result stale' : 'result'}>
        ${
          rowSet.rows.length === 0
            ? notice(messages.explore.noRows)
            : html`<pa-tile
                .content=${this.#preview.content}
                .rows=${rowSet}
                .host=${this.#host}
                .heading=${this.ownTitle ?? this.#preview.title}
                .level=${3}
                .wanted=${true}
              ></pa-tile>`
        }
      </div>`;
  }

  #renderLooks(rowSet: RowSet): TemplateResult {
    const { explore } = this.#locale.value.messages;
    const possible = new Set<ChosenLook>(offeredLooks(rowSet, this.restrictions.looks));
    const all: readonly ChosenLook[] = this.#hasOwnLook ? ['own', ...looks] : looks;
    const { length } = rowSet.rows;
    const isCut = rowSet.truncated || length === this.draft.limit;
    const count = isCut ? explore.firstRows(length) : explore.rows(length);
    return html`<div class="looks">
      <div class="segments" role="group" aria-label=${explore.look}>
        ${all
          .filter(look => look === 'own' || possible.has(look))
          .map(
            look => html`<button
              type="button"
              data-look=${look}
              aria-pressed=${look === this.#shownLook(possible) ? 'true' : 'false'}
              @click=${() => {
                this.look = look;
              }}
            >
              ${look === 'own' ? explore.ownLook : explore.looks[look]}
            </button>`,
          )}
      </div>
      <span class="hint" role="status">
        ${this.#explored.rows.status === 'loading' ? explore.running : count}
      </span>
    </div>`;
  }

  /** Whether the report has a specification that this editor did not create. */
  get #hasOwnLook(): boolean {
    return this.report !== null && lookOf(this.report) === null;
  }

  /** Whether the result belongs to the current query, so that the look fits it. */
  get #isCurrent(): boolean {
    const { rows, query } = this.#explored;
    const isRun = isRunnable(this.draft) && JSON.stringify(query) === JSON.stringify(toQuery(this.draft));
    return isRun && rows.status === 'ready' && this.#preview !== null;
  }

  #shownLook(possible: ReadonlySet<ChosenLook>): ChosenLook {
    const [first = 'auto'] = possible;
    return this.look === 'own' || possible.has(this.look) ? this.look : first;
  }

  #start({ sources }: ExploredModel): void {
    this.#isStarted = true;
    const query = this.report?.meta?.jsonQuery;
    this.draft = query ? fromQuery(query, membersByName(sources)) : emptyDraft;
    this.look = this.report ? (lookOf(this.report) ?? 'own') : 'auto';
    this.ownTitle = this.report?.title ?? this.report?.name ?? null;
  }

  /** Updates the preview if the rows or the look have changed. */
  #improve(): void {
    const rowSet = loadedValue(this.#explored.rows);
    if (!rowSet) return;
    const inputs = [rowSet, this.look, this.report, this.restrictions];
    if (inputs.every((part, index) => part === this.#preview?.inputs[index])) return;
    const before = this.report ? reportMeta(this.report) : {};
    const { spec: _, kind: _kind, ...settings } = before;
    const { looks: offered } = this.restrictions;
    const shown = offered ? this.#shownLook(new Set<ChosenLook>(offeredLooks(rowSet, offered))) : this.look;
    const meta = shown === 'own' ? before : { ...settings, ...metaOf(shown, rowSet), look: shown };
    const title = queryTitle(rowSet, meta.kind === 'vega' ? queryChart(rowSet) : null);
    const query = this.#explored.query;
    const snapshot = { ...meta, id: 0, reportId: 0, versionNumber: 1, meta: { ...(query && { jsonQuery: query }) } };
    this.#preview = { inputs, meta, title, content: { type: 'report', snapshot } };
  }

  #remove(members: readonly Member[]): void {
    this.draft = members.reduce(toggleMember, this.draft);
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

  readonly #handleTitle = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.ownTitle = target.value || null;
  };

  readonly #handleSave = async (): Promise<void> => {
    const [preview, query] = [this.#preview, this.#explored.query];
    if (!preview || !query || !this.#isCurrent) return;
    this.isSaving = true;
    await this.onSave({ title: this.ownTitle ?? preview.title, query, meta: preview.meta });
    this.isSaving = false;
  };
}

/** Returns the look that the editor stored in a report; `null` if the report was created elsewhere. */
function lookOf(report: ReportSnapshot): Look | null {
  return looks.find(look => look === report.look) ?? null;
}

register('pa-explore', PaExplore);

declare global {
  interface HTMLElementTagNameMap {
    'pa-explore': PaExplore;
  }
}
