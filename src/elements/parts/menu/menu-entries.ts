import { isSameMark, type Mark } from '../../../report/marks/mark.js';
import { type MarkLink, markLinks } from '../../../report/marks/mark-links.js';
import type { ReportData } from '../../../report/query/report-data.js';
import { dispatchDashboardEvent, dispatchDrillEvent, drillStep, isDrillable } from '../drill/drill-step.js';
import type { ExportRequest } from '../export/export-target.js';
import {
  type HostMenuItem,
  type MenuContext,
  type MenuRequest,
  subjectOf,
  type TileContext,
} from '../tile/tile-host.js';
import {
  type CreatePng,
  copyImage,
  copyRows,
  downloadCsv,
  downloadPng,
  downloadSvg,
  downloadXlsx,
  type ExportResult,
  type ExportSource,
} from './export-data.js';
import { enterFullScreen, leaveFullScreen } from './full-screen.js';
import type { MenuMessages } from './menu-messages.js';
import { tileItemsOf } from './tile-items.js';

/** Built-in commands of a menu. */
type MenuCommand =
  | 'showAsTable'
  | 'showAsChart'
  | 'downloadCsv'
  | 'downloadSvg'
  | 'downloadPng'
  | 'downloadPdf'
  | 'downloadXlsx'
  | 'copyImage'
  | 'copy'
  | 'refresh'
  | 'fullscreen'
  | 'exitFullscreen'
  | 'showRows'
  | 'filterByThis'
  | 'stopFiltering';

/** A menu item. */
export type MenuEntry =
  | { readonly type: 'command'; readonly command: MenuCommand }
  | { readonly type: 'link'; readonly link: MarkLink }
  | { readonly type: 'host'; readonly item: HostMenuItem };

/** State of the tile menu, in addition to the tile context. */
interface ScreenState {
  readonly full: boolean;
}

/** State of a mark menu, in addition to the tile context: whether the mark can be drilled into, and its links. */
interface MarkState {
  readonly drillable: boolean;
  readonly links: readonly MarkLink[];
}

const maxHostItems = 50;
const svgKinds: readonly string[] = ['vega', 'map', 'sankey'];
const imageKinds: readonly string[] = [...svgKinds, 'table', 'kpi'];

/** Returns the items of a tile menu, in order. If downloads are restricted, there are no exports. */
export function tileEntries(context: TileContext, { full }: ScreenState): readonly MenuEntry[] {
  const { part, data, asTable, request } = context;
  const rows = data?.rowSet.rows.length ?? 0;
  const commands: (MenuCommand | false)[] = [
    asTable ? 'showAsChart' : part !== null && part !== 'table' && rows > 0 && 'showAsTable',
    ...(rows > 0 && !context.host.restricted ? exportCommands(context) : []),
    request !== null && 'refresh',
    full ? 'exitFullscreen' : 'fullscreen',
  ];
  const asked = tileItemsOf(context.tools.frame()).map(item => ({ type: 'host', item }) as const);
  return [...commandEntries(commands), ...asked, ...hostEntries(context, null)];
}

function exportCommands({ host, part, asTable }: TileContext): readonly (MenuCommand | false)[] {
  const isServed = host.startExport !== null;
  const hasImage = isServed || asTable || (part !== null && imageKinds.includes(part));
  return [
    hasImage && 'downloadPng',
    isServed && 'downloadPdf',
    'downloadXlsx',
    'downloadCsv',
    !asTable && part !== null && svgKinds.includes(part) && 'downloadSvg',
    hasImage && 'copyImage',
    'copy',
  ];
}

/** Returns the items of a mark menu, in order. */
export function markEntries(context: TileContext, mark: Mark, { drillable, links }: MarkState): readonly MenuEntry[] {
  const filters = context.crossFilter !== false && context.host.choose !== null;
  const isChosen = context.selected.some(other => isSameMark(other, mark));
  const commands: (MenuCommand | false)[] = [
    drillable && 'showRows',
    filters && Object.keys(mark.values).length > 0 && (isChosen ? 'stopFiltering' : 'filterByThis'),
  ];
  const linked = links.map((link): MenuEntry => ({ type: 'link', link }));
  return [...commandEntries(commands), ...linked, ...hostEntries(context, mark)];
}

/** Returns the subject of a menu, as passed to the host. */
function menuContext(context: TileContext, mark: Mark | null): MenuContext {
  return { ...subjectOf(context), mark };
}

/** Returns the label of a menu item. */
export function entryLabel(entry: MenuEntry, messages: MenuMessages): string {
  if (entry.type === 'command') return messages[entry.command];
  return entry.type === 'link' ? entry.link.label : entry.item.label;
}

function commandEntries(commands: readonly (MenuCommand | false)[]): MenuEntry[] {
  return commands.flatMap((command): MenuEntry[] => (command ? [{ type: 'command', command }] : []));
}

/**
 * Returns the host's menu items. If the function or an item throws, reports the error and returns none, so that the
 * menu still opens.
 */
function hostEntries(context: TileContext, mark: Mark | null): MenuEntry[] {
  const { menuItems } = context.host;
  const usable = withErrorReport(() => {
    const items = typeof menuItems === 'function' ? menuItems(menuContext(context, mark)) : menuItems;
    return Array.isArray(items) ? items.filter(isItem) : [];
  });
  return usable.slice(0, maxHostItems).map(item => ({ type: 'host', item }));
}

function withErrorReport<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch (error) {
    reportError(error);
    return [];
  }
}

function isItem(item: Partial<HostMenuItem> | null | undefined): item is HostMenuItem {
  return typeof item?.label === 'string' && item.label !== '' && typeof item.run === 'function';
}

/** The announcement after a command; `null` if its effect is visible. */
type MenuResult = 'copied' | 'imageCopied' | 'copyFailed' | 'downloadFailed' | null;

/** Whether a mark can be drilled into, and the links of its dimensions. */
export function markStateOf(context: TileContext, mark: Mark): MarkState {
  return {
    drillable: isDrillable(context, mark),
    links: context.data ? markLinks(mark, context.data.rowSet) : [],
  };
}

/** Runs the command of a menu item. */
export async function runEntry(
  entry: MenuEntry,
  context: TileContext,
  { mark, locale }: Pick<MenuRequest, 'mark'> & { readonly locale: string },
): Promise<MenuResult> {
  if (entry.type === 'host') entry.item.run(menuContext(context, mark));
  else if (entry.type === 'command') return runCommand(entry.command, { ...context, locale }, mark);
  else if (mark) openDashboard(entry.link, context, mark);
  return null;
}

/** A tile with the language of its menu. */
type LocalTile = TileContext & { readonly locale: string };

async function runCommand(command: MenuCommand, context: LocalTile, mark: Mark | null): Promise<MenuResult> {
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

/** Commands that export the rows or the drawing of a tile. */
type ExportCommand =
  | 'downloadCsv'
  | 'downloadSvg'
  | 'downloadPng'
  | 'downloadPdf'
  | 'downloadXlsx'
  | 'copyImage'
  | 'copy';

const serverFormats: Readonly<Partial<Record<ExportCommand, ExportRequest['format']>>> = {
  downloadPng: 'png',
  downloadPdf: 'pdf',
  downloadXlsx: 'xlsx',
  copyImage: 'png',
};

async function exportData(command: ExportCommand, context: LocalTile): Promise<MenuResult> {
  const { data, heading, tools, host } = context;
  if (!data || host.restricted) return null;
  const format = serverFormats[command];
  if (format && host.startExport) {
    const rows = data.rowSet.rows.length;
    const use = command === 'copyImage' ? 'copy' : 'download';
    host.startExport({ ...subjectOf(context), format, use, title: heading, rows });
    return null;
  }
  const source: ExportSource = { ...context, title: heading, rowSet: data.rowSet };
  if (command === 'copy') return resultMessage(await copyRows(source), 'copied', 'copyFailed');
  if (command === 'downloadXlsx') return resultMessage(await downloadXlsx({ ...source, data }), null, 'downloadFailed');
  if (command === 'downloadCsv') return resultMessage(downloadCsv(source), null, 'downloadFailed');
  const drawing = tools.drawing();
  const draw: CreatePng = async () => {
    if (context.part === 'vega' && !context.asTable) return (await drawing?.toPng?.()) ?? null;
    return createPng(context, data);
  };
  if (command === 'downloadPng') return resultMessage(await downloadPng(source, draw), null, 'downloadFailed');
  if (command === 'copyImage') return resultMessage(await copyImage(source, draw), 'imageCopied', 'copyFailed');
  return drawing ? resultMessage(await downloadSvg(source, drawing), null, 'downloadFailed') : 'downloadFailed';
}

async function createPng({ tools, snapshot, heading: title, asTable, locale }: LocalTile, data: ReportData) {
  const frame = tools.frame();
  if (!frame || !snapshot) return null;
  const { createTileImage } = await import('../image/tile-image.js');
  return createTileImage({ frame, snapshot, data, title, asTable, locale });
}

function resultMessage(result: ExportResult, done: MenuResult, failed: MenuResult): MenuResult {
  if (result === 'prevented') return null;
  return result === 'done' ? done : failed;
}

/** Dispatches `pa-drill` first, because the page may show the rows itself. */
function openRows(context: TileContext, mark: Mark): void {
  const { request, data, snapshot, tools } = context;
  const step = request && data && drillStep({ request, rowSet: data.rowSet, snapshot }, mark, 'en');
  if (step && dispatchDrillEvent(context, mark, step)) tools.open({ type: 'rows', mark });
}

/** Lets the page open another dashboard, or shows that it cannot. */
function openDashboard(link: MarkLink, context: TileContext, mark: Mark): void {
  if (link.type === 'dashboard' && dispatchDashboardEvent(context, mark, link.slug)) {
    context.tools.open({ type: 'dashboard', label: link.label });
  }
}
