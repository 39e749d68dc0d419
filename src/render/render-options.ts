import type { AiWidget } from '../contract/ai-widgets.js';
import type { AppConfig } from '../contract/app-config.js';
import type { Dashboard, ReportSnapshot } from '../contract/dashboards.js';
import type { MetaResponse } from '../contract/meta.js';
import type { Query } from '../contract/query.js';
import type { RowSet } from '../contract/row-set.js';
import type { Filters } from '../report/controls/control-state.js';
import type { DashboardState } from '../report/controls/dashboard-state.js';
import type { DashboardTheme } from '../report/theme/theme.js';

/** Options of a request for rows. */
export interface RowRequestOptions {
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal;
}

/** Loads rows on behalf of one caller: the functions decide whose token or security context they use. */
export interface RowSource {
  /** Returns the rows of a semantic query. */
  readonly load: (query: Query, options: RowRequestOptions) => Promise<RowSet>;
  /** Returns the rows of semantic SQL. Without it, tiles of reports in SQL show an error. */
  readonly sql?: ((text: string, options: RowRequestOptions) => Promise<RowSet>) | undefined;
  /** Returns the model that the caller sees. Without it, all totals are queried, and filters show raw values. */
  readonly meta?: ((options: RowRequestOptions) => Promise<MetaResponse>) | undefined;
}

/** Themes, each of which overrides the next one. */
export interface RenderTheme {
  /** Color scheme; by default that of the theme's background, otherwise light. */
  readonly scheme?: 'light' | 'dark' | undefined;
  /** Theme of the caller, with the keys of a dashboard theme. */
  readonly own?: DashboardTheme | undefined;
  /** Theme of the session (`embedTheme`). */
  readonly session?: unknown;
  /** Configuration of the account, whose `appTheme` applies if `applyThemeGlobally` is set. */
  readonly account?: AppConfig | null | undefined;
}

/** Size in px. */
export interface RenderSize {
  readonly width: number;
  readonly height: number;
}

interface CommonOptions extends RowSource {
  /** Language and number formats (BCP 47); `en` by default. */
  readonly locale?: string | undefined;
  /** IANA time zone of queries and of the printed time. Default: that of each report, and UTC for the printed time. */
  readonly timeZone?: string | undefined;
  readonly theme?: RenderTheme | undefined;
  /** Device pixels per CSS pixel of a PNG; 2 by default, at most 4. */
  readonly scale?: number | undefined;
  /** Aborts rendering, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Time for the rows of all tiles, ms; 60,000 by default. Tiles whose rows do not arrive in time show an error. */
  readonly timeoutMs?: number | undefined;
}

/** Formats of `renderReport`. */
export type ReportOutput = 'svg' | 'png';

/** Options of `renderReport`. */
export interface RenderReportOptions<O extends ReportOutput = ReportOutput> extends CommonOptions {
  /** The report, as in `reportSnapshots` of a published dashboard. */
  readonly report: ReportSnapshot;
  /** Conditions on members of the report (`view.dimension`). */
  readonly filters?: Filters | undefined;
  /** Size of the drawing; 600 × 400 by default. A table shows the rows that fit. */
  readonly size?: RenderSize | undefined;
  /** True to draw the title and the frame of a tile; false for the bare chart. False by default. */
  readonly framed?: boolean | undefined;
  readonly output: O;
}

/** Formats of `renderDashboard`. XLSX has one sheet per report; CSV contains the first report with rows. */
export type DashboardOutput = 'pdf' | 'png' | 'svg' | 'html' | 'xlsx' | 'csv';

/** Page format of a PDF: paper, or one page as tall as the dashboard. */
export type PageFormat = 'A4' | 'Letter' | 'tall';

/** Control values, as in a viewer's dashboard state; the published defaults apply to members that are not set. */
export type RenderControls = Partial<Pick<DashboardState, 'filters' | 'timeGrains' | 'members'>>;

/** Options of `renderDashboard`. */
export interface RenderDashboardOptions<O extends DashboardOutput = DashboardOutput> extends CommonOptions {
  /** The published dashboard, as the embed API returns it. Its `userAttributes` provide defaults of filters. */
  readonly dashboard: Dashboard;
  /** The answers pinned to AI widgets, as the embed API returns them; without them, AI widgets show a message. */
  readonly aiWidgets?: readonly AiWidget[] | undefined;
  readonly controls?: RenderControls | undefined;
  /** Conditions that override those of `controls`. */
  readonly lockedFilters?: Filters | undefined;
  readonly output: O;
  /** Renders only this widget. */
  readonly widgetId?: string | undefined;
  /** Renders only this report of `reportSnapshots`, by numeric id or public id. */
  readonly reportId?: string | number | undefined;
  /** Page format of a PDF; A4 by default. Other outputs are one page as tall as the dashboard. */
  readonly page?: PageFormat | undefined;
  /** Orientation of A4 and Letter pages; `landscape` by default. */
  readonly orientation?: 'portrait' | 'landscape' | undefined;
  /** Width of the layout in px if the page is tall; 1,200 by default. */
  readonly width?: number | undefined;
  /** Time shown as the time of creation; now by default. */
  readonly now?: Date | undefined;
  /** Called with the share of the tiles that are ready, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** Content of each output: text for SVG, HTML and CSV, bytes for PNG, PDF and XLSX. */
export type RenderedContent<O> = O extends 'svg' | 'html' | 'csv' ? string : Uint8Array;

/** A rendered report. */
export interface RenderedReport<O extends ReportOutput = ReportOutput> {
  readonly content: RenderedContent<O>;
  readonly mediaType: string;
  /** Text alternative in the language of the output. */
  readonly description: string;
}

/** A tile that shows an error instead of its report. */
export interface FailedTile {
  readonly widgetId: string;
  readonly title: string;
  /** Message that the tile shows. */
  readonly message: string;
}

/** A rendered dashboard. */
export interface RenderedDashboard<O extends DashboardOutput = DashboardOutput> {
  readonly content: RenderedContent<O>;
  readonly mediaType: string;
  /** Extension of a file, without a dot. */
  readonly extension: string;
  readonly title: string;
  /** The control values that apply, one sentence each. */
  readonly filters: readonly string[];
  readonly pageCount: number;
  readonly failedTiles: readonly FailedTile[];
}
