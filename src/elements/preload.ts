import {
  namesSession,
  type SessionSettings,
  sessionPageOf,
  type WarmOptions,
} from '../controllers/session/session-page.js';
import { loadBoard } from './parts/lazy-parts.js';
import { loadPart } from './parts/tile/tile-body.js';
import type { PartKind } from './parts/tile/tile-view.js';

const usualKinds: readonly PartKind[] = ['vega', 'table', 'kpi', 'text'];

/** What is to be warm. */
export interface PreloadOptions extends SessionSettings, Pick<WarmOptions, 'aiUrl' | 'signal'> {
  /** Kinds of tiles whose drawing code is fetched: charts, tables, figures and texts by default. */
  readonly kinds?: readonly PartKind[];
}

/**
 * Warms what a dashboard will need before it is on the page, like on the page before it, or when a pointer nears its link: the code that draws tiles, and
 * the session. It is kept a minute for the `<pa-session>`, or the elements without one, that name the same `sessionUrl` (or `session`),
 * `baseUrl` and further settings as their attributes do; `end()` of a `<pa-session>` and `signal` end it too.
 * @returns when all is warm, or failed to be: elements try again, and say what is wrong.
 */
export async function preload({ kinds = usualKinds, aiUrl, signal, ...settings }: PreloadOptions = {}): Promise<void> {
  const session = namesSession(settings) ? sessionPageOf(document).warm(settings, { aiUrl, signal }) : null;
  await Promise.allSettled([loadBoard(), ...kinds.map(loadPart), session]);
}
