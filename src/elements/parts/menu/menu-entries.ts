import { isSameMark, type Mark } from '../../../report/marks/mark.js';
import { type MarkLink, markLinks } from '../../../report/marks/mark-links.js';
import { dispatchDashboardEvent, dispatchDrillEvent, drillStep, isDrillable } from '../drill/drill-step.js';
import {
  type HostMenuItem,
  type MenuContext,
  type MenuRequest,
  subjectOf,
  type TileContext,
} from '../tile/tile-host.js';
import { copyRows, downloadCsv, downloadSvg, type ExportResult, type ExportSource } from './export-data.js';
import { enterFullScreen, leaveFullScreen } from './full-screen.js';
import type { MenuMessages } from './menu-messages.js';

/** What a menu's own items do. */
type MenuCommand =
  | 'showAsTable'
  | 'showAsChart'
  | 'downloadCsv'
  | 'downloadSvg'
  | 'copy'
  | 'refresh'
  | 'fullscreen'
  | 'exitFullscreen'
  | 'showRows'
  | 'filterByThis'
  | 'stopFiltering';

/** One item of a menu. */
export type MenuEntry =
  | { readonly type: 'command'; readonly command: MenuCommand }
  | { readonly type: 'link'; readonly link: MarkLink }
  | { readonly type: 'host'; readonly item: HostMenuItem };

/** What the menu of a tile depends on, beside the tile. */
interface ScreenState {
  readonly full: boolean;
}

/** What the menu of a mark depends on, beside the tile: whether there are rows behind it, and where links of the model lead. */
interface MarkState {
  readonly drillable: boolean;
  readonly links: readonly MarkLink[];
}

const mostHostItems = 50;
const drawn: readonly string[] = ['vega', 'map', 'sankey'];

/** The menu of a tile, in order. Nothing in it carries data out of the page where that is restricted. */
export function tileEntries(context: TileContext, { full }: ScreenState): readonly MenuEntry[] {
  const { part, data, asTable, request } = context;
  const rows = data?.rowSet.rows.length ?? 0;
  const leaves = rows > 0 && !context.host.restricted;
  const commands: (MenuCommand | false)[] = [
    asTable ? 'showAsChart' : part !== null && part !== 'table' && rows > 0 && 'showAsTable',
    leaves && 'downloadCsv',
    leaves && !asTable && part !== null && drawn.includes(part) && 'downloadSvg',
    leaves && 'copy',
    request !== null && 'refresh',
    full ? 'exitFullscreen' : 'fullscreen',
  ];
  return [...commandEntries(commands), ...hostEntries(context, null)];
}

/** The menu of a mark, in order. */
export function markEntries(context: TileContext, mark: Mark, { drillable, links }: MarkState): readonly MenuEntry[] {
  const filters = context.crossFilter !== false && context.host.choose !== null && context.widgetId !== null;
  const isChosen = context.selected.some(other => isSameMark(other, mark));
  const commands: (MenuCommand | false)[] = [
    drillable && 'showRows',
    filters && Object.keys(mark.values).length > 0 && (isChosen ? 'stopFiltering' : 'filterByThis'),
  ];
  const linked = links.map((link): MenuEntry => ({ type: 'link', link }));
  return [...commandEntries(commands), ...linked, ...hostEntries(context, mark)];
}

/** What a menu was opened for, as the host is told. */
function menuContext(context: TileContext, mark: Mark | null): MenuContext {
  return { ...subjectOf(context), mark };
}

/** What an item says. */
export function entryLabel(entry: MenuEntry, messages: MenuMessages): string {
  if (entry.type === 'command') return messages[entry.command];
  return entry.type === 'link' ? entry.link.label : entry.item.label;
}

function commandEntries(commands: readonly (MenuCommand | false)[]): MenuEntry[] {
  return commands.flatMap((command): MenuEntry[] => (command ? [{ type: 'command', command }] : []));
}

/** What throws when it is asked for its items, or when one is read, has none: the menu is there all the same. */
function hostEntries(context: TileContext, mark: Mark | null): MenuEntry[] {
  const { menuItems } = context.host;
  const usable = asked(() => {
    const items = typeof menuItems === 'function' ? menuItems(menuContext(context, mark)) : menuItems;
    return Array.isArray(items) ? items.filter(isItem) : [];
  });
  return usable.slice(0, mostHostItems).map(item => ({ type: 'host', item }));
}

function asked<T>(ask: () => readonly T[]): readonly T[] {
  try {
    return ask();
  } catch (error) {
    reportError(error);
    return [];
  }
}

function isItem(item: Partial<HostMenuItem> | null | undefined): item is HostMenuItem {
  return typeof item?.label === 'string' && item.label !== '' && typeof item.run === 'function';
}

/** What is said when something was run; null where what happens says it. */
type MenuResult = 'copied' | 'copyFailed' | 'downloadFailed' | null;

/** Whether there are rows behind a mark, and where links of the model lead. */
export function markStateOf(context: TileContext, mark: Mark): MarkState {
  return {
    drillable: isDrillable(context, mark),
    links: context.data ? markLinks(mark, context.data.rowSet) : [],
  };
}

/** Does what an item of a menu says. */
export async function runEntry(entry: MenuEntry, context: TileContext, { mark }: MenuRequest): Promise<MenuResult> {
  if (entry.type === 'host') entry.item.run(menuContext(context, mark));
  else if (entry.type === 'command') return runCommand(entry.command, context, mark);
  else if (mark) openDashboard(entry.link, context, mark);
  return null;
}

async function runCommand(command: MenuCommand, context: TileContext, mark: Mark | null): Promise<MenuResult> {
  const { tools, heading, host } = context;
  const frame = tools.frame();
  switch (command) {
    case 'showAsTable':
      tools.show('table');
      return null;
    case 'showAsChart':
      tools.show('chart');
      return null;
    case 'refresh':
      tools.reload();
      return null;
    case 'fullscreen':
      if (frame) await enterFullScreen(frame, heading);
      return null;
    case 'exitFullscreen':
      if (frame) await leaveFullScreen(frame);
      return null;
    case 'showRows':
      if (mark) openRows(context, mark);
      return null;
    case 'filterByThis':
    case 'stopFiltering':
      if (mark) host.choose?.(context, [mark], 'add');
      return null;
    default:
      return exportData(command, context);
  }
}

async function exportData(command: 'downloadCsv' | 'downloadSvg' | 'copy', context: TileContext): Promise<MenuResult> {
  const { data, heading, tools } = context;
  if (!data) return null;
  const leaver: ExportSource = { ...context, title: heading, rowSet: data.rowSet };
  if (command === 'copy') return resultMessage(await copyRows(leaver), 'copied', 'copyFailed');
  if (command === 'downloadCsv') return resultMessage(downloadCsv(leaver), null, 'downloadFailed');
  const drawing = tools.drawing();
  return drawing ? resultMessage(await downloadSvg(leaver, drawing), null, 'downloadFailed') : 'downloadFailed';
}

function resultMessage(leaving: ExportResult, done: MenuResult, failed: MenuResult): MenuResult {
  return leaving === 'prevented' ? null : leaving === 'done' ? done : failed;
}

/** The page is told first: it may show the rows itself. */
function openRows(context: TileContext, mark: Mark): void {
  const { request, data, snapshot, tools } = context;
  const step = request && data && drillStep({ request, rowSet: data.rowSet, snapshot }, mark, 'en');
  if (step && dispatchDrillEvent(context, mark, step)) tools.open({ type: 'rows', mark });
}

/** The page opens other dashboards; where it doesn't, that is said. */
function openDashboard(link: MarkLink, context: TileContext, mark: Mark): void {
  if (link.type === 'dashboard' && dispatchDashboardEvent(context, mark, link.slug)) {
    context.tools.open({ type: 'dashboard', label: link.label });
  }
}
