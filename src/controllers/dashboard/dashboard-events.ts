import type { Cell } from '../../contract/data.js';
import type { FilterCondition } from '../../contract/widget-config.js';

const outward = { bubbles: true, composed: true } as const;

/** Which tile an event tells of. */
export interface TileSubject {
  /** Id of the tile's widget; null where the report stands alone. */
  readonly widgetId: string | null;
  /** Public id of its report; null where it has none. */
  readonly report: string | null;
}

/** What `pa-load` tells: how many tiles came to rest, and how. */
export interface PaLoadDetail {
  /** Tiles that came to rest. */
  readonly tiles: number;
  /** Those among them that failed. */
  readonly failed: number;
  /** Tiles that are too far away to be loaded yet. */
  readonly waiting: number;
}

/** All that was wanted so far has come to rest: for the first time, and after each `refresh()`. */
export class PaLoadEvent extends Event {
  readonly detail: PaLoadDetail;

  constructor(detail: PaLoadDetail) {
    super('pa-load', outward);
    this.detail = detail;
  }
}

/** What `pa-timing` tells of one tile: ms, no row values. */
export interface PaTimingDetail extends TileSubject {
  /** From when the tile was wanted until its query began. */
  readonly queue: number;
  /** From there until its rows had come. */
  readonly query: number;
  /** From there until they were drawn. */
  readonly draw: number;
  /** How many rows there are. */
  readonly rows: number;
}

/** A tile was drawn with rows that had just come. */
export class PaTimingEvent extends Event {
  readonly detail: PaTimingDetail;

  constructor(detail: PaTimingDetail) {
    super('pa-timing', outward);
    this.detail = detail;
  }
}

/** What was pointed at, by the columns of the report's rows; data of this user. */
export interface MarkSubject extends TileSubject {
  /** Values of the dimensions and times that it stands for. */
  readonly values: Readonly<Record<string, Cell>>;
  /** Column of the measure that it shows; null where it is not one alone. */
  readonly measure: string | null;
}

/** Somebody chose a mark, a cell or a figure; `preventDefault()` keeps it from doing anything. */
export class PaMarkClickEvent extends Event {
  readonly detail: MarkSubject;

  constructor(detail: MarkSubject) {
    super('pa-mark-click', { ...outward, cancelable: true });
    this.detail = detail;
  }
}

/** Where a drill leads. */
export type DrillTarget =
  /** The rows behind the mark, as these members. */
  | { readonly type: 'rows'; readonly members: readonly string[] }
  /** Another dashboard, by the slug that a link of the model names, and the filters (by member) that keep it to the mark. */
  | { readonly type: 'dashboard'; readonly slug: string; readonly filters: Readonly<Record<string, FilterCondition>> };

/** What `pa-drill` tells. */
export interface PaDrillDetail extends MarkSubject {
  readonly target: DrillTarget;
}

/** Somebody asks for what is behind a mark; `preventDefault()` leaves it to the host to show it. */
export class PaDrillEvent extends Event {
  readonly detail: PaDrillDetail;

  constructor(detail: PaDrillDetail) {
    super('pa-drill', { ...outward, cancelable: true });
    this.detail = detail;
  }
}

/** What `pa-download` tells. */
export interface PaDownloadDetail extends TileSubject {
  /** `copy`: to the clipboard. */
  readonly format: 'csv' | 'svg' | 'copy';
  /** Name of the file; empty of a copy. */
  readonly fileName: string;
  /** How many rows leave the page. */
  readonly rows: number;
}

/** Data is about to leave the page; `preventDefault()` keeps it from that. */
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
