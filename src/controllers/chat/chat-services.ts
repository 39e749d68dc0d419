import type { ChatService } from '../../client/chat/chat-service.js';
import type { ChatTurn, Conversation } from '../../client/chat/conversation.js';
import { openChat } from '../../client/chat/open-chat.js';
import { ProblemKind, toProblem } from '../problem.js';
import type { SessionSource } from '../session/session-context.js';

/** The agent, and the URLs of its Chat API. */
export interface ChatTarget {
  readonly account: string;
  readonly agentId: string | null;
  readonly deploymentId: string | null;
  /** Absolute URL of the Chat API; `null` if not set. */
  readonly aiUrl: string | null;
  /** Absolute URL of the proxy of the host; `null` if not set. */
  readonly proxyUrl: string | null;
}

/** Starter questions of an agent, and whether its service lists threads. */
export interface AgentOffer {
  readonly suggestions: readonly string[];
  /** Whether the service provides a list of threads. */
  readonly hasThreads: boolean;
}

/**
 * Opens the Chat API of an agent, authorized by a session unless a proxy is set.
 * @throws {PaError} `invalid_options`
 */
export function openAgent(target: ChatTarget, source: SessionSource | null): ChatService {
  const { account, agentId, deploymentId, aiUrl, proxyUrl } = target;
  return openChat({
    account,
    agentId: agentId ?? undefined,
    deploymentId: deploymentId ?? undefined,
    aiUrl: aiUrl ?? undefined,
    ...(proxyUrl ? { proxyUrl } : { source: source ?? undefined }),
  });
}

/**
 * Loads what an agent offers. Errors are ignored, because a chat works without it.
 * @throws if access to the chat is denied.
 */
export async function readOffer(service: ChatService): Promise<AgentOffer> {
  const [suggestions, hasThreads] = await Promise.all([
    service.suggestions().catch(error => {
      if (toProblem(error).kind === ProblemKind.denied) throw error;
      return [];
    }),
    service.threads().then(
      page => page !== null,
      // Assume that the service has a list. If it has none, the list reports the error and can be retried.
      () => true,
    ),
  ]);
  return { suggestions, hasThreads };
}

/** Returns the last turn if the only change is that its last text has grown; else `null`. */
export function grownTurn(before: Conversation, now: Conversation): ChatTurn | null {
  const { turns } = now;
  const last = turns.at(-1);
  const known = before.turns.at(-1);
  if (!last || !known || last === known || before.chatId !== now.chatId) return null;
  if (turns.length !== before.turns.length || turns.at(-2) !== before.turns.at(-2)) return null;
  const isSame =
    last.id === known.id && last.prompt === known.prompt && last.end === known.end && last.usage === known.usage;
  return isSame && isOnlyTailGrown(known, last) ? last : null;
}

function isOnlyTailGrown(known: ChatTurn, last: ChatTurn): boolean {
  const { length } = last.parts;
  if (length === 0 || length !== known.parts.length) return false;
  for (let index = 0; index < length - 1; index += 1) if (last.parts[index] !== known.parts[index]) return false;
  const before = known.parts.at(-1);
  const now = last.parts.at(-1);
  if (before?.type !== 'text' || now?.type !== 'text' || before.id !== now.id) return false;
  return now.isInProcess && before.isInProcess && (before.thinking === '') === (now.thinking === '');
}

// The modules with which a chat uses its service. Lazy-loaded while the session starts.

export { OpenThread } from './chat-thread.js';
