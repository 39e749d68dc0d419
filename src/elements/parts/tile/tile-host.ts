import type { ReportSnapshot } from '../../../contract/dashboards.js';
import { PaDownloadEvent, type TileSubject } from '../../../controllers/dashboard/dashboard-events.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { Choice, FilterChoice } from '../../../report/controls/controls.js';
import type { Mark } from '../../../report/marks/mark.js';
import type { ReportData } from '../../../report/query/report-data.js';
import type { ReportRequest } from '../../../report/query/report-request.js';
import type { ExportRequest } from '../export/export-target.js';
import type { Anchor } from '../popover.js';
import type { PartKind } from './tile-view.js';

/** Subject of an open menu. */
export interface MenuContext extends TileSubject {
  /** The mark, cell or KPI of the menu; `null` for the menu of the tile. */
  readonly mark: Mark | null;
}

/** A custom menu item of the host. */
export interface HostMenuItem {
  readonly label: string;
  readonly run: (context: MenuContext) => void;
}

/** Custom menu items: the same for every menu, or a function that returns the items for one. */
export type HostMenuItems = readonly HostMenuItem[] | ((context: MenuContext) => readonly HostMenuItem[]);

/** Settings and callbacks that the public element shares with its tiles. */
export interface TileHost {
  /** Whether viewers may not download or copy rows. */
  readonly restricted: boolean;
  /** Origins whose images are shown in cells. Default: none. */
  readonly imageOrigins: readonly string[];
  readonly menuItems: HostMenuItems;
  /** Starts an export by the host's server; `null` if the page creates the files. */
  readonly startExport: ((request: ExportRequest) => void) | null;
  /** Returns the function that applies filters to the request of a report; `null` while there are no filters. */
  readonly requests: () => ((snapshot: ReportSnapshot, choices: readonly Choice[]) => ReportRequest | null) | null;
  /** Dispatches an event of the public element; returns `false` if the page cancels it. */
  readonly fire: (event: Event) => boolean;
  /**
   * Filters other tiles by marks of one tile; an empty list with `replace` clears the selection. `null` if there are no
   * other tiles.
   */
  readonly choose: ((tile: TileContext, picked: readonly Mark[], how: 'add' | 'replace') => void) | null;
  /** Whether the viewer may clear a filter. */
  readonly canClear: (filter: FilterChoice) => boolean;
  /** Clears filters. */
  readonly clear: (filters: readonly FilterChoice[]) => void;
}

/** Host of a tile without an enclosing element. */
export const noHost: TileHost = {
  restricted: false,
  imageOrigins: [],
  menuItems: [],
  startExport: null,
  requests: () => null,
  fire: () => true,
  choose: null,
  canClear: () => false,
  clear: () => {},
};

/** Content that can be exported as SVG. */
export interface Drawing {
  toSvg(): string | Promise<string>;
  /** Returns an image if the drawing is a chart. */
  toPng?(): Promise<Blob | null>;
}

/** The state of a tile for its menus and dialogs. */
export interface TileContext {
  readonly host: TileHost;
  readonly source: SessionSource | null;
  readonly widgetId: string | null;
  readonly heading: string;
  /** Level of the heading. */
  readonly level: number;
  readonly snapshot: ReportSnapshot | null;
  /** The request of the current rows, which can differ from the pending request; `null` if the host set the rows. */
  readonly request: ReportRequest | null;
  readonly data: ReportData | null;
  /** Published kind of the body; `null` if it cannot be shown. */
  readonly part: PartKind | null;
  /** Whether the rows are shown as a table instead of the body. */
  readonly asTable: boolean;
  /**
   * Whether selecting a mark filters other tiles: `true` on selection, `null` only with the menu of the mark, `false`
   * never.
   */
  readonly crossFilter: boolean | null;
  readonly selected: readonly Mark[];
  readonly tools: TileActions;
}

/** Actions of menus on a tile. */
export interface TileActions {
  /** The element that full screen shows. */
  readonly frame: () => HTMLElement | null;
  readonly drawing: () => Drawing | null;
  readonly reload: () => void;
  readonly show: (as: 'table' | 'chart') => void;
  /** Opens the drill dialog. */
  readonly open: (drill: DrillSubject) => void;
}

/** Content of a drill dialog. */
export type DrillSubject =
  | { readonly type: 'rows'; readonly mark: Mark }
  /** A dashboard that this page cannot open. */
  | { readonly type: 'dashboard'; readonly label: string };

/** A request to open the menu of a tile or of a mark. */
export interface MenuRequest {
  readonly anchor: Anchor;
  readonly mark: Mark | null;
  /**
   * `choose`: a mark was selected, so the menu opens only if the mark can be drilled into or has links. `menu`: the
   * user requested the menu.
   */
  readonly intent: 'choose' | 'menu';
}

/** Returns the tile and report for the `detail` of an event. */
export function subjectOf({ widgetId, snapshot }: Pick<TileContext, 'widgetId' | 'snapshot'>): TileSubject {
  return { widgetId, report: snapshot?.meta?.publicId ?? null };
}

/** Dispatches `pa-download` before cells are copied; returns `false` if the page cancels it. */
export function dispatchCopyEvent(tile: TileContext, rows: number): boolean {
  return tile.host.fire(new PaDownloadEvent({ ...subjectOf(tile), format: 'copy', fileName: '', rows }));
}

/** Returns the drawing in the body of a tile; `null` if there is none. */
export function drawingIn(tile: ParentNode): Drawing | null {
  for (const part of tile.querySelectorAll<HTMLElement & Partial<Drawing>>('[part=body] > *')) {
    const { toSvg, toPng } = part;
    if (toSvg) return { toSvg: () => toSvg.call(part), ...(toPng && { toPng: () => toPng.call(part) }) };
  }
  return null;
}
