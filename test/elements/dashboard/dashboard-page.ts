import type { Dashboard, DashboardWidget } from '../../../src/contract/dashboards.js';
import type { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import type { PaTile } from '../../../src/elements/parts/tile/tile-element.js';
import { FakeSession, oneNumber, provide } from '../fake-session.js';

/** A dashboard on its own page. */
export interface DashboardPage {
  readonly session: FakeSession;
  readonly element: PaDashboard;
  readonly parent: HTMLElement;
}

/** Adds a dashboard to the page; its session answers every query with one number. */
export async function dashboardPage(
  given: Dashboard,
  prepare: (page: DashboardPage) => void = () => {},
): Promise<DashboardPage> {
  const session = new FakeSession();
  session.dashboards = async () => given;
  session.answers = () => oneNumber;
  const parent = document.createElement('div');
  parent.style.setProperty('width', '1300px');
  const provider = provide(session);
  provider.append(parent);
  const element = document.createElement('pa-dashboard');
  element.publicId = 'Dashboard001';
  const page = { session, element, parent };
  prepare(page);
  document.body.append(provider);
  parent.append(element);
  await element.updateComplete;
  return page;
}

/** Returns a container widget. */
export function container(
  id: string,
  children: readonly unknown[],
  config: Record<string, unknown> = {},
  position = { x: 0, y: 0, w: 12, h: 8 },
): DashboardWidget {
  return { id, type: 'CONTAINER', position, config: { children, ...config } };
}

export const tilesOf = (element: PaDashboard): PaTile[] => [...element.renderRoot.querySelectorAll('pa-tile')];

/** Returns the titles of the visible tiles, in page order. */
export function visibleTitles(element: PaDashboard): string[] {
  return tilesOf(element)
    .filter(tile => getComputedStyle(tile).visibility === 'visible')
    .map(({ heading }) => heading);
}

/** Returns the text of an element and its descendants. */
export function textIn(node: Node): string {
  if (node instanceof HTMLStyleElement) return '';
  if (node instanceof Text) return node.data;
  const shown =
    node instanceof HTMLSlotElement
      ? node.assignedNodes()
      : (node instanceof Element && node.shadowRoot ? node.shadowRoot : node).childNodes;
  return [...shown].map(textIn).join(' ').replace(/\s+/g, ' ').trim();
}
