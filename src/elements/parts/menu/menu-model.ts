import type { Mark } from '../../../report/mark.js';
import { sameMark } from '../../../report/mark.js';
import type { MarkLink } from '../../../report/mark-links.js';
import { type HostMenuItem, type MenuContext, subjectOf, type TileContext } from '../tile/tile-host.js';
import type { MenuMessages } from './messages/messages.js';

/** What a menu's own items do. */
export type MenuCommand =
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
export interface ScreenState {
  readonly full: boolean;
}

/** What the menu of a mark depends on, beside the tile: whether there are rows behind it, and where links of the model lead. */
export interface MarkState {
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
  const isChosen = context.selected.some(other => sameMark(other, mark));
  const commands: (MenuCommand | false)[] = [
    drillable && 'showRows',
    filters && Object.keys(mark.values).length > 0 && (isChosen ? 'stopFiltering' : 'filterByThis'),
  ];
  const linked = links.map((link): MenuEntry => ({ type: 'link', link }));
  return [...commandEntries(commands), ...linked, ...hostEntries(context, mark)];
}

/** What a menu was opened for, as the host is told. */
export function menuContext(context: TileContext, mark: Mark | null): MenuContext {
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
