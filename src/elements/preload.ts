import { namesSession, type SessionSettings, sessionPageOf } from '../controllers/session-page.js';
import { loadBoard } from './parts/late.js';
import { loadPart } from './parts/tile/parts.js';
import type { PartKind } from './parts/tile/tile-view.js';

const usualKinds: readonly PartKind[] = ['vega', 'table', 'kpi', 'text'];

/** What is to be warm. */
export interface PreloadOptions extends SessionSettings {
  /** Kinds of tiles whose drawing code is fetched: charts, tables, figures and texts by default. */
  readonly kinds?: readonly PartKind[];
  /** Address of the Chat API, where the `<pa-session>` to come names one. */
  readonly aiUrl?: string | null;
}

/**
 * Warms what a dashboard will need before it is on the page, like on the page before it, or when a pointer nears its link: the code that draws tiles, and
 * the session. It is kept a minute for the `<pa-session>`, or the elements without one, that name the same `sessionUrl` (or `session`),
 * `baseUrl` and further settings as their attributes do; `end()` of a `<pa-session>` ends it too.
 * @returns when all is warm, or failed to be: elements try again, and say what is wrong.
 */
export async function preload({ kinds = usualKinds, aiUrl, ...settings }: PreloadOptions = {}): Promise<void> {
  const session = namesSession(settings) ? sessionPageOf(document).warm(settings, aiUrl) : null;
  await Promise.allSettled([loadBoard(), ...kinds.map(loadPart), session]);
}
