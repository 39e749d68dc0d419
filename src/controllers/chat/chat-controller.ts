import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ChatService } from '../../client/chat/chat-service.js';
import { type ChatStep, type ChatTurn, type Conversation, emptyConversation } from '../../client/chat/conversation.js';
import type { ChatContext, ChatFeedback, ChatImage } from '../../contract/chat.js';
import { type Problem, ProblemKind, toProblem } from '../problem.js';
import type { SessionSource } from '../session/session-context.js';
import type { AgentOffer, ChatTarget } from './chat-services.js';
import { ChatStatus } from './chat-status.js';
import type { OpenThread } from './chat-thread.js';

export type { ChatService } from '../../client/chat/chat-service.js';
export type {
  ChatPart,
  ChatPrompt,
  ChatStep,
  ChatText,
  ChatTurn,
  Conversation,
} from '../../client/chat/conversation.js';
export { offersReplies, suggestedReplies } from '../../client/chat/suggested-replies.js';
export type { ChatContext, ChatFeedback, ChatImage } from '../../contract/chat.js';
export type { ChatTarget } from './chat-services.js';
export { ChatStatus } from './chat-status.js';

/** Options of a chat controller. */
export interface ChatControllerOptions {
  /** Session that authorizes the requests; `null` if there is none. */
  readonly source: () => SessionSource | null;
  readonly target: () => ChatTarget;
  /** Service to use instead of session and target. */
  readonly service: () => ChatService | null;
  /** Whether the chat is used. Nothing is loaded until this returns `true`. */
  readonly isWanted: () => boolean;
  /** Called instead of a host update, at most once per frame, when only the last text of the last turn has grown. */
  readonly onGrow: (turn: ChatTurn) => void;
  /** Called when a tool finishes during an answer. */
  readonly onTool: (step: ChatStep) => void;
  /** Called once for every failure. */
  readonly onProblem: (problem: Problem) => void;
}

/** A connected service and its lazy-loaded functions. */
interface OpenService extends Pick<typeof import('./chat-services.js'), 'OpenThread' | 'grownTurn' | 'readOffer'> {
  readonly service: ChatService;
}

const noOffer: AgentOffer = { suggestions: [], hasThreads: false };

/**
 * The chat of an element with one agent and one identity. When the identity or the agent changes, the controller drops
 * all content. When the element leaves the document, the connection is closed but the answer continues; the element
 * rejoins it when it returns.
 */
export class ChatController implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #options: ChatControllerOptions;
  /** Value that changes with the identity or the target; `null` while no agent can be reached. */
  #target: unknown = null;
  #owner = 0;
  #isStarted = false;
  #opening: Promise<OpenService> | null = null;
  #open: OpenService | null = null;
  /** Reason why no service is available. */
  #refusal: Problem | null = null;
  /** Id of the thread that is open, or that will be opened when the service is available. */
  #requestedId: string | null = null;
  #thread: OpenThread | null = null;
  #threads = 0;
  /** A message that is waiting for the service; aborted if it must not be sent. */
  #sending: AbortController | null = null;
  #conversation: Conversation = emptyConversation;
  #offer: AgentOffer = noOffer;
  #frame = 0;
  #followed: SessionSource | null = null;
  #unfollow: (() => void) | null = null;
  readonly #wake = (): void => this.#thread?.wake();

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, options: ChatControllerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** The thread as currently shown. */
  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Status of the chat. */
  get status(): ChatStatus {
    if (this.#sending) return ChatStatus.connecting;
    if (this.#thread) return this.#thread.status;
    return this.#opening && this.#requestedId ? ChatStatus.loading : ChatStatus.idle;
  }

  /** Reason why the thread could not be read, or its last message not answered; `null` if there is no error. */
  get problem(): Problem | null {
    return this.#thread?.problem ?? this.#refusal;
  }

  /** Id of the thread; `null` until the service has assigned one. */
  get chatId(): string | null {
    return this.#thread ? this.#thread.chatId : this.#requestedId;
  }

  /** Number that changes when a thread is opened, but not when the service assigns its id. */
  get thread(): number {
    return this.#threads;
  }

  /** Number that changes when the content, including drafts, belongs to another user or agent. */
  get owner(): number {
    return this.#owner;
  }

  /** The service; `null` until it is available. */
  get service(): ChatService | null {
    return this.#open?.service ?? null;
  }

  /** Questions that the service suggests. */
  get suggestions(): readonly string[] {
    return this.#offer.suggestions;
  }

  /** Whether the service provides a list of threads. */
  get hasThreads(): boolean {
    return this.#offer.hasThreads;
  }

  /** Whether chat is disabled for this user, by the session or by the service. */
  get isOff(): boolean {
    return this.#options.source()?.settings?.allowAi === false || this.problem?.kind === ProblemKind.denied;
  }

  /** Whether a message can be sent, that is, a service can be reached and no answer is in progress. */
  get isReady(): boolean {
    return this.#target !== null && this.status === ChatStatus.idle && !this.isOff;
  }

  /**
   * Sends a message and follows its answer until it ends. Returns `false` if it was not sent, because the chat is not
   * ready or has no service.
   */
  async send(text: string, images: readonly ChatImage[] = [], context: ChatContext | null = null): Promise<boolean> {
    if (!this.isReady) return false;
    const sending = new AbortController();
    this.#sending = sending;
    this.#host.requestUpdate();
    await this.#openService().catch(error => sending.signal.aborted || this.#refuse(error));
    if (sending.signal.aborted) return false;
    this.#sending = null;
    if (!this.#thread) return false;
    await this.#thread.send(text, images, context);
    return true;
  }

  /**
   * Stops the answer on the service.
   * @throws {PaError} if the service could not be reached; the answer then continues.
   */
  async stop(): Promise<void> {
    if (this.#sending) this.#cancelSending();
    else await this.#thread?.stop();
  }

  /** Resumes a suspended answer, or sends a failed message again. */
  async resume(): Promise<void> {
    if (this.isReady) await this.#thread?.resume();
  }

  /** Shows and stores the user's feedback on an answer; `null` removes it. Returns whether it was stored. */
  async rate(turn: ChatTurn, feedback: ChatFeedback | null): Promise<boolean> {
    return (await this.#thread?.rate(turn, feedback)) ?? false;
  }

  /** Opens a thread; `null` opens a new one. An answer in progress continues on the service. */
  open(chatId: string | null): void {
    this.#cancelSending();
    this.#thread?.leave();
    this.#requestedId = chatId || null;
    this.#threads += 1;
    this.#thread = this.#open ? this.#newThread(this.#open) : null;
    this.#show();
  }

  /** Retries after a failure. */
  retry(): void {
    if (this.#refusal) {
      this.#refusal = null;
      this.#opening = null;
      this.#isStarted = false;
    }
    this.#thread?.retry();
    this.#host.requestUpdate();
  }

  hostUpdate(): void {
    if (!this.#host.isConnected) return;
    const source = this.#options.source();
    this.#follow(source);
    const target = this.#currentTarget(source);
    if (target !== this.#target) this.#forget(target);
    if (target === null || this.isOff || this.#refusal || !this.#options.isWanted()) return;
    if (this.#isStarted) this.#thread?.begin();
    else void this.#start();
  }

  hostConnected(): void {
    addEventListener('online', this.#wake);
  }

  hostDisconnected(): void {
    removeEventListener('online', this.#wake);
    // If the element was only moved, it is reconnected before this runs.
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      this.#follow(null);
      this.#thread?.leave();
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    });
  }

  #currentTarget(source: SessionSource | null): unknown {
    const given = this.#options.service();
    if (given) return given;
    const target = this.#options.target();
    const identity = target.proxyUrl ? '' : (source?.identity ?? null);
    return identity === null ? null : JSON.stringify([identity, target]);
  }

  /**
   * Drops all content of the previous identity or agent. A thread that was requested before the first one is retained.
   */
  #forget(target: unknown): void {
    const chatId = this.#target === null ? this.#requestedId : null;
    if (this.#target !== null) this.#owner += 1;
    this.#target = target;
    this.#opening = null;
    this.#open = null;
    this.#isStarted = false;
    this.#refusal = null;
    this.#offer = noOffer;
    this.open(chatId);
  }

  /** Gets the service, opens the requested thread and loads the agent's starter questions. */
  async #start(): Promise<void> {
    const target = this.#target;
    this.#isStarted = true;
    try {
      const open = await this.#openService();
      if (target !== this.#target) return;
      this.#thread?.begin();
      const offer = await open.readOffer(open.service);
      if (target !== this.#target) return;
      this.#offer = offer;
      this.#host.requestUpdate();
    } catch (error) {
      if (target === this.#target) this.#refuse(error);
    }
  }

  /** Gets the service and opens the requested thread. */
  async #openService(): Promise<OpenService> {
    const target = this.#target;
    this.#opening ??= this.#connect();
    const open = await this.#opening;
    if (target !== this.#target) return open;
    this.#open = open;
    this.#thread ??= this.#newThread(open);
    return open;
  }

  async #connect(): Promise<OpenService> {
    const source = this.#options.source();
    const target = this.#options.target();
    const given = this.#options.service();
    const { grownTurn, openAgent, OpenThread, readOffer } = await import('./chat-services.js');
    return { service: given ?? openAgent(target, source), grownTurn, OpenThread, readOffer };
  }

  #newThread({ OpenThread, service }: OpenService): OpenThread {
    const thread: OpenThread = new OpenThread(service, this.#requestedId, {
      onFrames: () => {
        if (thread === this.#thread) this.#frame ||= requestAnimationFrame(() => this.#show());
      },
      onChange: () => {
        if (thread !== this.#thread) return;
        this.#show();
        this.#host.requestUpdate();
      },
      onTool: this.#options.onTool,
      onProblem: this.#options.onProblem,
    });
    return thread;
  }

  /** Updates the conversation. If only the last text has grown, only that text is updated. */
  #show(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const before = this.#conversation;
    this.#conversation = this.#thread?.conversation ?? emptyConversation;
    if (before === this.#conversation) return;
    const grown = this.#open?.grownTurn(before, this.#conversation);
    if (grown) this.#options.onGrow(grown);
    else this.#host.requestUpdate();
  }

  /** Cancels a message that is still waiting for the service. */
  #cancelSending(): void {
    this.#sending?.abort();
    this.#sending = null;
    this.#host.requestUpdate();
  }

  #refuse(error: unknown): void {
    if (this.#refusal) return;
    this.#refusal = toProblem(error);
    this.#options.onProblem(this.#refusal);
    this.#host.requestUpdate();
  }

  #follow(source: SessionSource | null): void {
    if (source === this.#followed) return;
    this.#unfollow?.();
    this.#followed = source;
    this.#unfollow =
      source?.subscribe(event => {
        if (event.type === 'identity') this.#forget(null);
        else if (event.type === 'wake') this.#thread?.wake();
      }) ?? null;
  }
}
