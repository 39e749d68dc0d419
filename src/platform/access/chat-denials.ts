import type { Policy } from '../../contract/policies.js';
import { chatThreadActions } from './check-policies.js';
import { everything } from './rights.js';

/** Chats that are closed to a user by policies with `effect: deny` (spec 2.8): a deny wins, whatever else allows. */
export interface ChatDenials {
  /** True where every chat is closed, or all with this agent. */
  deniesAgent(agentId: number): boolean;
  /** Ids of single threads that are closed. */
  readonly threads: ReadonlySet<string>;
}

/** What a user's policies deny of the chat. Whose threads are whose no policy changes: an allow opens nobody else's. */
export function chatDenials(policies: readonly Policy[]): ChatDenials {
  const denied = policies
    .filter(({ resourceType, effect }) => resourceType === 'ChatThread' && effect === 'deny')
    .filter(({ actions }) => actions.some(action => isChatAction(action)))
    .flatMap(({ resources }) => resources);
  const ids = new Set(denied);
  return { deniesAgent: agentId => ids.has(everything) || ids.has(String(agentId)), threads: ids };
}

function isChatAction(action: string): boolean {
  return action === everything || chatThreadActions.some(name => name === action);
}
