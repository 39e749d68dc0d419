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

/** Options of `preload()`. */
export interface PreloadOptions extends SessionSettings, Pick<WarmOptions, 'aiUrl' | 'signal'> {
  /** Kinds of tiles whose rendering code is fetched; charts, tables, KPIs and text by default. */
  readonly kinds?: readonly PartKind[];
}

/**
 * Prepares a dashboard before it is on the page, for example on the previous page or when the pointer nears a link:
 * fetches the code that renders tiles and creates the session. The session is cached for one minute. It is used by a
 * `<pa-session>`, or by elements without one, whose attributes match `sessionUrl` (or `session`), `baseUrl` and the
 * other settings. `end()` of a `<pa-session>` and `signal` also discard it.
 * @returns a promise that resolves when everything is loaded or has failed. It never rejects: elements retry and show
 * the error.
 */
export async function preload({ kinds = usualKinds, aiUrl, signal, ...settings }: PreloadOptions = {}): Promise<void> {
  const session = namesSession(settings) ? sessionPageOf(document).warm(settings, { aiUrl, signal }) : null;
  await Promise.allSettled([loadBoard(), ...kinds.map(loadPart), session]);
}
