import { html, type TemplateResult } from 'lit';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import type { LoadState } from '../../../controllers/load-controller.js';
import type { Problem } from '../../../controllers/problem.js';
import type { Choice, FilterChoice } from '../../../report/controls/controls.js';
import { formatList } from '../../../report/format/locale.js';
import type { ReportData } from '../../../report/query/report-data.js';
import { kindOf, type ReportKind, reportKind } from '../../../report/query/report-kind.js';
import { filterOrigin, type ReportRequest } from '../../../report/query/report-request.js';
import type { PageMessages } from '../../messages/page-messages.js';
import { rendererOf } from '../custom/renderers.js';
import { notice, problemNotice } from '../notice.js';

/** Content of a tile. */
export type TileContent =
  /** A report; `null` if it is missing from the published dashboard. */
  | { readonly type: 'report'; readonly snapshot: ReportSnapshot | null }
  | { readonly type: 'text'; readonly markdown: string }
  /** An AI widget that has no report to show. */
  | { readonly type: 'answer'; readonly state: AnswerState };

/** Reason why an AI widget shows no report. */
type AnswerState =
  | { readonly status: 'loading' }
  | { readonly status: 'missing'; readonly notice: AnswerNotice }
  | { readonly status: 'failed'; readonly problem: Problem; readonly retry: () => Promise<void> };

/** Messages shown instead of a pinned answer. `answerToPin` is for viewers who may pin one. */
export type AnswerNotice = 'noAnswer' | 'answerToPin' | 'answerDeleted' | 'answerWithoutQuery' | 'answerUnavailable';

/** Kinds of elements that render the body of a tile. */
export type PartKind = ReportKind | 'custom' | 'text';

/** Messages shown instead of a report. */
type TileNotice =
  | AnswerNotice
  | 'missingReport'
  | 'unsupportedKind'
  | 'noQuery'
  | 'empty'
  | 'emptyFiltered'
  | 'emptyChosen';

/** Current content of a tile. */
export type TileView =
  /** Only the heading, because the tile is not near the viewport yet. */
  | { readonly status: 'waiting' }
  | { readonly status: 'loading'; readonly part: PartKind }
  /** `stale` rows are shown while newer ones load. */
  | { readonly status: 'shown'; readonly part: PartKind; readonly data: ReportData | null; readonly stale: boolean }
  | { readonly status: 'notice'; readonly notice: TileNotice }
  /** The viewer canceled the query before any rows arrived. */
  | { readonly status: 'stopped' }
  | { readonly status: 'failed'; readonly problem: Problem };

/**
 * Returns the request of a tile, or `null` if it has nothing to query or cannot be rendered. `request` applies the
 * filters.
 */
export function requestOf(
  content: TileContent,
  choices: readonly Choice[],
  request: (snapshot: ReportSnapshot, choices: readonly Choice[]) => ReportRequest | null,
): ReportRequest | null {
  const snapshot = content.type === 'report' ? content.snapshot : null;
  return snapshot && partOf(snapshot) ? request(snapshot, choices) : null;
}

/** Wraps rows set by the host. */
export function givenData(rowSet: RowSet): ReportData {
  return { rowSet, totals: new Map() };
}

/** Derives the view of a tile from its content, request and load state; `given` rows need no request. */
export function tileView(
  content: TileContent,
  request: ReportRequest | null,
  state: LoadState<ReportData>,
  given: ReportData | null = null,
): TileView {
  if (content.type === 'text') return { status: 'shown', part: 'text', data: null, stale: false };
  if (content.type === 'answer') return answerView(content.state);
  const { snapshot } = content;
  if (!snapshot) return { status: 'notice', notice: 'missingReport' };
  const part = partOf(snapshot);
  if (!part) return { status: 'notice', notice: 'unsupportedKind' };
  if (given) return shown(request, { part, data: given, stale: false });
  if (!request) return { status: 'notice', notice: 'noQuery' };
  switch (state.status) {
    case 'failed':
      return { status: 'failed', problem: state.problem };
    case 'ready':
      return shown(request, { part, data: state.value, stale: false });
    case 'stopped':
      return state.value ? shown(request, { part, data: state.value, stale: false }) : { status: 'stopped' };
    case 'loading':
      // An empty previous result does not predict the next one, so show the skeleton.
      return state.value?.rowSet.rows.length
        ? shown(request, { part, data: state.value, stale: true })
        : { status: 'loading', part };
    default:
      return { status: 'loading', part };
  }
}

/** Reloads the answer of an AI widget after a failure. */
export async function retryAnswer({ state }: Extract<TileContent, { type: 'answer' }>): Promise<void> {
  if (state.status === 'failed') await state.retry();
}

function answerView(state: AnswerState): TileView {
  switch (state.status) {
    case 'loading':
      return { status: 'loading', part: 'vega' };
    case 'missing':
      return { status: 'notice', notice: state.notice };
    case 'failed':
      return { status: 'failed', problem: state.problem };
  }
}

function shown(
  request: ReportRequest | null,
  { part, data, stale }: { readonly part: PartKind; readonly data: ReportData; readonly stale: boolean },
): TileView {
  if (data.rowSet.rows.length > 0) return { status: 'shown', part, data, stale };
  const by = request && filterOrigin(request);
  if (by === 'choices') return { status: 'notice', notice: 'emptyChosen' };
  return { status: 'notice', notice: by === 'report' ? 'emptyFiltered' : 'empty' };
}

/** Returns the published kind of body of a tile; `null` if there is none. */
export function publishedPart(content: TileContent): PartKind | null {
  return content.type === 'report' && content.snapshot ? partOf(content.snapshot) : null;
}

/** Whether two content objects are equal. */
export function sameContent(before: TileContent | undefined, now: TileContent): boolean {
  if (before?.type === 'report') return now.type === 'report' && before.snapshot === now.snapshot;
  if (before?.type === 'text') return now.type === 'text' && before.markdown === now.markdown;
  return before?.type === now.type && before.state === now.state;
}

const tables = new WeakMap<ReportSnapshot, TileContent>();

/** Returns the same report as a table of its rows, cached per snapshot. */
export function tableOf(content: TileContent): TileContent {
  const snapshot = content.type === 'report' ? content.snapshot : null;
  if (!snapshot) return content;
  const known = tables.get(snapshot);
  if (known) return known;
  const { spec: _, ...rest } = snapshot;
  const table: TileContent = { type: 'report', snapshot: { ...rest, kind: 'table' } };
  tables.set(snapshot, table);
  return table;
}

/** Returns the element that renders a report: a built-in one, or a renderer of the host. */
function partOf(snapshot: ReportSnapshot): PartKind | null {
  return reportKind(snapshot) ?? (rendererOf(kindOf(snapshot)) ? 'custom' : null);
}

/** Views that consist of a message. */
type MessageView = Extract<TileView, { status: 'notice' | 'stopped' | 'failed' }>;

/** Options of a message, and the filters that may have excluded all rows. */
interface MessageOptions {
  readonly messages: PageMessages;
  readonly locale: string;
  /** Whether the dashboard or the page already explains the failure. */
  readonly quiet: boolean;
  readonly filters: readonly FilterChoice[];
  readonly onRetry: () => void;
  readonly canClear: (filter: FilterChoice) => boolean;
  readonly onClear: (filters: readonly FilterChoice[]) => void;
}

/** Renders a message with the reason and an action. */
export function tileMessage(view: MessageView, options: MessageOptions): TemplateResult {
  return html`<div class="message">${renderMessage(view, options)}</div>`;
}

function renderMessage(view: MessageView, options: MessageOptions): TemplateResult {
  const { messages, onRetry, quiet } = options;
  if (view.status === 'failed' && quiet) return html`<p class="quiet">${messages.notLoaded}</p>`;
  if (view.status === 'failed') return problemNotice(view.problem, messages, onRetry);
  if (view.status === 'stopped') return notice(messages.stopped, { label: messages.retry, run: onRetry });
  return view.notice === 'emptyChosen' ? emptyNotice(options) : notice(messages[view.notice]);
}

/** Names the filters that excluded all rows, with a button that clears those the viewer may clear. */
function emptyNotice({ messages, locale, filters, canClear, onClear }: MessageOptions): TemplateResult {
  if (filters.length === 0) return notice(messages.emptyChosen);
  const names = formatList(locale, [...new Set(filters.map(({ title }) => title))], 'long');
  const removable = filters.filter(canClear);
  const action =
    removable.length > 0 ? { label: messages.clearFilters(removable.length), run: () => onClear(removable) } : null;
  return notice([messages.emptyChosen[0], messages.emptyChosenBy(names)], action);
}
