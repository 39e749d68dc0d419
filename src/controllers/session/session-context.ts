import { createContext } from '@lit/context';
import type { SessionSource } from '../../client/session/session-status.js';

export { type SessionEvent, type SessionSource, SessionStatus } from '../../client/session/session-status.js';

/**
 * How `<pa-session>` gives its session to the elements below it; null while it has none.
 * The key is a registered symbol, so that two copies of this package on one page understand each other.
 */
export const sessionContext = createContext<SessionSource | null, symbol>(Symbol.for('pa-embed.session'));
