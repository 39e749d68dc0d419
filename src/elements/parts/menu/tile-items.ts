import { closestAcross } from '../../../controllers/closest.js';
import type { HostMenuItem } from '../tile/tile-host.js';

/** A registered symbol, so that all copies of this package on a page share it. */
const key = Symbol.for('pa-embed/tile-items');

/** Parts of the page that add an item to the menus of tiles. */
type ItemOwner = 'chat' | 'comment';

type Marked = Element & { [key]?: Map<ItemOwner, HostMenuItem> };

/** Sets the menu item that a part of the page adds to the tiles of a dashboard; `null` removes it. */
export function setTileItem(dashboard: Element, owner: ItemOwner, item: HostMenuItem | null): void {
  const marked: Marked = dashboard;
  marked[key] ??= new Map();
  if (item) marked[key].set(owner, item);
  else marked[key].delete(owner);
}

/** Returns the menu items that parts of the page add to the tiles of the enclosing dashboard. */
export function tileItemsOf(inner: Element | null): readonly HostMenuItem[] {
  const dashboard: Marked | null = inner && closestAcross(inner, 'pa-dashboard');
  const items = dashboard?.[key];
  return (['comment', 'chat'] as const).flatMap(owner => items?.get(owner) ?? []);
}
