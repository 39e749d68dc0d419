import type { ChatService } from '../client/chat/chat-service.js';
import { openChat } from '../client/chat/open-chat.js';
import { ProblemKind, toProblem } from './problem.js';
import type { SessionSource } from './session-context.js';

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
