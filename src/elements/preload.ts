import { namesSession, type SessionSettings, sessionPageOf } from '../controllers/session-page.js';
import { loadBoard } from './parts/late.js';
import { loadPart } from './parts/tile/parts.js';
import type { PartKind } from './parts/tile/tile-view.js';

/** Longest that a session is kept for elements that are still to come, in ms. */
const keptMs = 60_000;
const usualKinds: readonly PartKind[] = ['vega', 'table', 'kpi', 'text'];

/** What is to be warm. */
export interface PreloadOptions extends SessionSettings {
  /** Kinds of tiles whose drawing code is fetched: charts, tables, figures and texts by default. */
  readonly kinds?: readonly PartKind[];
}

/**
 * Warms what a dashboard will need before it is on the page, like on the page before it, or when a pointer nears its link: the code that draws tiles, and
 * the session of elements that name the same `sessionUrl` (or `session`) and `baseUrl` as their attributes do. The session is kept a minute
 * for them. A `<pa-session>` warms its own by being there.
 * @returns when all is warm, or failed to be: elements try again, and say what is wrong.
 */
export async function preload({ kinds = usualKinds, ...settings }: PreloadOptions = {}): Promise<void> {
  await Promise.allSettled([loadBoard(), ...kinds.map(loadPart), namesSession(settings) ? warm(settings) : null]);
}

async function warm(settings: SessionSettings): Promise<void> {
  const page = sessionPageOf(document);
  const source = page.acquire(settings);
  setTimeout(() => page.release(source), keptMs);
  await source.start();
}
