import type { ReportSnapshot } from '../../../contract/dashboards.js';
import { PaDownloadEvent, type TileSubject } from '../../../controllers/dashboard/dashboard-events.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { Choice, FilterChoice } from '../../../report/controls/controls.js';
import type { Mark } from '../../../report/marks/mark.js';
import type { ReportData } from '../../../report/query/report-data.js';
import type { ReportRequest } from '../../../report/query/report-request.js';
import type { Anchor } from '../popover.js';
import type { PartKind } from './tile-view.js';

/** What a menu was opened for. */
export interface MenuContext extends TileSubject {
  /** The mark, cell or figure that was pointed at; null where it is the menu of the tile. */
  readonly mark: Mark | null;
}

/** An item that a host puts into menus. */
export interface HostMenuItem {
  readonly label: string;
  readonly run: (context: MenuContext) => void;
}

/** A host's items: the same in every menu, or those that suit what the menu was opened for. */
export type HostMenuItems = readonly HostMenuItem[] | ((context: MenuContext) => readonly HostMenuItem[]);

/** What the public element around tiles settles for all of them. */
export interface TileHost {
  /** No row may leave the page by a download or a copy. */
  readonly restricted: boolean;
  /** Origins whose images are shown in cells; none by default. */
  readonly imageOrigins: readonly string[];
  readonly menuItems: HostMenuItems;
  /** What says by what a report is asked with choices that reach it; null while there can be no choices. */
  readonly requests: () => ((snapshot: ReportSnapshot, choices: readonly Choice[]) => ReportRequest | null) | null;
  /** Fires an event of the public element; false where the page prevented what comes next. */
  readonly fire: (event: Event) => boolean;
  /** Filters the other tiles by marks of one; none in the place of all takes them back. Null where there are no others. */
  readonly choose: ((tile: TileContext, picked: readonly Mark[], how: 'add' | 'replace') => void) | null;
  /** Whether the viewer may take a filter away. */
  readonly canClear: (filter: FilterChoice) => boolean;
  /** Takes filters away. */
  readonly clear: (filters: readonly FilterChoice[]) => void;
}

/** A tile that stands for itself. */
export const noHost: TileHost = {
  restricted: false,
  imageOrigins: [],
  menuItems: [],
  requests: () => null,
  fire: () => true,
  choose: null,
  canClear: () => false,
  clear: () => {},
};

/** What can be drawn into a file. */
export interface Drawing {
  toSvg(): string | Promise<string>;
}

/** A tile as its menus and dialogs see it. */
export interface TileContext {
  readonly host: TileHost;
  readonly source: SessionSource | null;
  readonly widgetId: string | null;
  readonly heading: string;
  /** Level of its heading. */
  readonly level: number;
  readonly snapshot: ReportSnapshot | null;
  /** What its rows were asked by, which newer rows may not be; null where they were given. */
  readonly request: ReportRequest | null;
  readonly data: ReportData | null;
  /** Kind of its body as published; null where there is none to show. */
  readonly part: PartKind | null;
  /** Its rows stand as a table in the place of its body. */
  readonly asTable: boolean;
  /** Whether choosing a mark filters other tiles: true at once, null by the menu of the mark, false never. */
  readonly crossFilter: boolean | null;
  readonly selected: readonly Mark[];
  readonly tools: TileActions;
}

/** What menus have a tile do. */
export interface TileActions {
  /** The frame, which fills the screen on demand. */
  readonly frame: () => HTMLElement | null;
  readonly drawing: () => Drawing | null;
  readonly reload: () => void;
  readonly show: (as: 'table' | 'chart') => void;
  /** Opens the dialog with what is behind a mark. */
  readonly open: (drill: DrillSubject) => void;
}

/** What a drill dialog is opened with. */
export type DrillSubject =
  | { readonly type: 'rows'; readonly mark: Mark }
  /** A dashboard that this page can't open. */
  | { readonly type: 'dashboard'; readonly label: string };

/** Somebody asked for a menu: of the tile, or of a mark. */
export interface MenuRequest {
  readonly anchor: Anchor;
  readonly mark: Mark | null;
  /** `choose`: of a mark that was chosen; it opens where something is behind the mark alone. */
  readonly intent: 'choose' | 'menu';
}

/** The report that an event tells of. */
export function subjectOf({ widgetId, snapshot }: Pick<TileContext, 'widgetId' | 'snapshot'>): TileSubject {
  return { widgetId, report: snapshot?.meta?.publicId ?? null };
}

/** Tells the page that cells of so many rows are about to be copied; false where it prevents that. */
export function dispatchCopyEvent(tile: TileContext, rows: number): boolean {
  return tile.host.fire(new PaDownloadEvent({ ...subjectOf(tile), format: 'copy', fileName: '', rows }));
}

/** What of a tile's body can be drawn into a file; null where nothing can. */
export function drawingIn(tile: ParentNode): Drawing | null {
  for (const part of tile.querySelectorAll<HTMLElement & Partial<Drawing>>('[part=body] > *')) {
    const { toSvg } = part;
    if (toSvg) return { toSvg: () => toSvg.call(part) };
  }
  return null;
}
