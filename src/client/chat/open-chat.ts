import { PaError, PaErrorCode } from '../errors.js';
import type { SessionSource } from '../session-status.js';
import type { ChatService } from './chat-service.js';

/** Which agent to speak to, and in whose name: a session's, or that of the host's proxy. */
export interface ChatOptions {
  /** The session whose token is sent. */
  readonly source?: Pick<SessionSource, 'authorize'> | undefined;
  /** In its place, the address of the host's own proxy (`chatProxyHandler`), which knows who asks. */
  readonly proxyUrl?: string | undefined;
  /** Address of the Chat API where it is not the platform's. */
  readonly aiUrl?: string | undefined;
  readonly account: string;
  /** The agent; in its place `deploymentId`, whose own agent then answers. */
  readonly agentId?: number | string | undefined;
  readonly deploymentId?: number | string | undefined;
  /** The `fetch` to use, where it is not the session's or the global one. */
  readonly fetch?: typeof fetch | undefined;
}

/** The Chat API of one agent. Nothing is sent yet. @throws PaError `invalid_options` where it isn't said whom to ask, and as whom. */
export function openChat(options: ChatOptions): ChatService {
  void options;
  throw new PaError(PaErrorCode.invalidOptions, 'Not there yet.');
}
