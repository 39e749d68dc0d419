import type { Cell } from '../../contract/data.js';
import type { FilterCondition } from '../../contract/widget-config.js';

const outward = { bubbles: true, composed: true } as const;

/** The tile that an event refers to. */
export interface TileSubject {
  /** Id of the tile's widget; `null` for a standalone report. */
  readonly widgetId: string | null;
  /** Public id of the report; `null` if it has none. */
  readonly report: string | null;
}

/** Detail of `pa-load`: numbers of loaded, failed and pending tiles. */
export interface PaLoadDetail {
  /** Number of tiles that have finished loading, including failed ones. */
  readonly tiles: number;
  /** Number of these tiles that failed. */
  readonly failed: number;
  /** Number of tiles that are not loaded yet, because they are too far from the viewport. */
  readonly waiting: number;
}

/** Fired when all requested tiles have finished loading: for the first time, and after each `refresh()`. */
export class PaLoadEvent extends Event {
  readonly detail: PaLoadDetail;

  constructor(detail: PaLoadDetail) {
    super('pa-load', outward);
    this.detail = detail;
  }
}

/** Detail of `pa-timing` for one tile: durations in ms, no row values. */
export interface PaTimingDetail extends TileSubject {
  /** Time from the request of the tile until its query starts. */
  readonly queue: number;
  /** Time from the start of the query until its rows have arrived. */
  readonly query: number;
  /** Time from the arrival of the rows until the tile is rendered. */
  readonly draw: number;
  /** Number of rows. */
  readonly rows: number;
}

/** Fired when a tile was rendered with new rows. */
export class PaTimingEvent extends Event {
  readonly detail: PaTimingDetail;

  constructor(detail: PaTimingDetail) {
    super('pa-timing', outward);
    this.detail = detail;
  }
}

/** The selected mark, by columns of the report's rows; contains data of this user. */
export interface MarkSubject extends TileSubject {
  /** Values of the mark's dimensions and time dimensions. */
  readonly values: Readonly<Record<string, Cell>>;
  /** Column of the measure that the mark shows; `null` unless it is exactly one. */
  readonly measure: string | null;
}

/** Fired when a mark, a cell or a KPI is selected. `preventDefault()` cancels the default action. */
export class PaMarkClickEvent extends Event {
  readonly detail: MarkSubject;

  constructor(detail: MarkSubject) {
    super('pa-mark-click', { ...outward, cancelable: true });
    this.detail = detail;
  }
}

/** Target of a drill-down. */
export type DrillTarget =
  /** The rows behind the mark, with these members. */
  | { readonly type: 'rows'; readonly members: readonly string[] }
  /** Another dashboard, by the slug in a link of the model, with filters by member that select the mark. */
  | { readonly type: 'dashboard'; readonly slug: string; readonly filters: Readonly<Record<string, FilterCondition>> };

/** Detail of `pa-drill`. */
export interface PaDrillDetail extends MarkSubject {
  readonly target: DrillTarget;
}

/** Fired when the user drills into a mark. With `preventDefault()`, the host shows the details itself. */
export class PaDrillEvent extends Event {
  readonly detail: PaDrillDetail;

  constructor(detail: PaDrillDetail) {
    super('pa-drill', { ...outward, cancelable: true });
    this.detail = detail;
  }
}

/** Detail of `pa-download`. */
export interface PaDownloadDetail extends TileSubject {
  /** `copy` copies to the clipboard. */
  readonly format: 'csv' | 'svg' | 'png' | 'pdf' | 'xlsx' | 'copy';
  /** Name of the file; empty for `copy`. */
  readonly fileName: string;
  /** Number of exported rows; 0 for a whole dashboard. */
  readonly rows: number;
}

/** Fired before data is exported. `preventDefault()` cancels the export. */
export class PaDownloadEvent extends Event {
  readonly detail: PaDownloadDetail;

  constructor(detail: PaDownloadDetail) {
    super('pa-download', { ...outward, cancelable: true });
    this.detail = detail;
  }
}

declare global {
  interface HTMLElementEventMap {
    'pa-load': PaLoadEvent;
    'pa-timing': PaTimingEvent;
    'pa-mark-click': PaMarkClickEvent;
    'pa-drill': PaDrillEvent;
    'pa-download': PaDownloadEvent;
  }
}
