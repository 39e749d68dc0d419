import { closestAcross } from '../../../controllers/closest.js';
import type { HostMenuItem } from '../tile/tile-host.js';

/** The same in every copy of this package on a page. */
const key = Symbol.for('pa-embed/chat-item');

type Marked = Element & { [key]?: HostMenuItem | null };

/** Sets the menu item that a chat adds to the tiles of a dashboard; `null` removes it. */
export function setChatItem(dashboard: Element, item: HostMenuItem | null): void {
  const marked: Marked = dashboard;
  marked[key] = item;
}

/** Returns the menu item that a chat adds to the tiles of the enclosing dashboard. */
export function chatItemOf(inner: Element | null): HostMenuItem | null {
  const dashboard: Marked | null = inner && closestAcross(inner, 'pa-dashboard');
  return dashboard?.[key] ?? null;
}
