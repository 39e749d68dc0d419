import type { ChatService } from '../../client/chat/chat-service.js';
import type { ChatTurn, Conversation } from '../../client/chat/conversation.js';
import { openChat } from '../../client/chat/open-chat.js';
import { ProblemKind, toProblem } from '../problem.js';
import type { SessionSource } from '../session/session-context.js';

/** Which agent is asked, and over which way. */
export interface ChatTarget {
  readonly account: string;
  readonly agentId: string | null;
  readonly deploymentId: string | null;
  /** Absolute addresses. */
  readonly aiUrl: string | null;
  readonly proxyUrl: string | null;
}

/** What an agent offers beside its answers. */
export interface AgentOffer {
  readonly suggestions: readonly string[];
  /** The service keeps a list of threads. */
  readonly hasThreads: boolean;
}

/** The Chat API of an agent, in the name of a session unless a proxy speaks for it. @throws PaError `invalid_options`. */
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

/** Asks what an agent offers. A chat without it is one all the same, unless it is one that may not be used: then it throws. */
export async function readOffer(service: ChatService): Promise<AgentOffer> {
  const [suggestions, hasThreads] = await Promise.all([
    service.suggestions().catch(error => {
      if (toProblem(error).kind === ProblemKind.denied) throw error;
      return [];
    }),
    service.threads().then(
      page => page !== null,
      // There may be one: the list itself says that it can't be read, and tries again.
      () => true,
    ),
  ]);
  return { suggestions, hasThreads };
}

/** The last turn, where all that changed is that its last text grew; null where there is more to draw than that. */
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

// What a chat needs once it speaks to its service: a chunk of its own, which loads while the session starts.

export { OpenThread } from './chat-thread.js';
