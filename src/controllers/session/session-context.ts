import { createContext } from '@lit/context';
import type { SessionSource } from '../../client/session/session-status.js';

export { type SessionEvent, type SessionSource, SessionStatus } from '../../client/session/session-status.js';

/**
 * Context through which `<pa-session>` provides its session to the elements inside it; `null` if it has none. The key
 * is a registered symbol, so that two copies of this package on one page share it.
 */
export const sessionContext = createContext<SessionSource | null, symbol>(Symbol.for('pa-embed.session'));
