import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ChatService } from '../../client/chat/chat-service.js';
import { type ChatStep, type ChatTurn, type Conversation, emptyConversation } from '../../client/chat/conversation.js';
import type { ChatImage } from '../../contract/chat.js';
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
export type { ChatImage } from '../../contract/chat.js';
export type { ChatTarget } from './chat-services.js';
export { ChatStatus } from './chat-status.js';

/** What a chat controller works with. */
export interface ChatControllerOptions {
  /** The session in whose name is asked; null while there is none. */
  readonly source: () => SessionSource | null;
  readonly target: () => ChatTarget;
  /** In the place of session and target: the service itself. */
  readonly service: () => ChatService | null;
  /** Nothing is loaded before it says so. */
  readonly isWanted: () => boolean;
  /** The last text of the last turn has grown, and nothing else: told once a frame at most, in the place of an update of the host. */
  readonly onGrow: (turn: ChatTurn) => void;
  /** A tool came to its end while an answer was being given. */
  readonly onTool: (step: ChatStep) => void;
  /** Called once for every failure. */
  readonly onProblem: (problem: Problem) => void;
}

/** A service, and what it takes to speak to it. */
interface OpenService extends Pick<typeof import('./chat-services.js'), 'OpenThread' | 'grownTurn' | 'readOffer'> {
  readonly service: ChatService;
}

const noOffer: AgentOffer = { suggestions: [], hasThreads: false };

/**
 * The chat of an element with one agent, in the name of one identity: another identity or agent drops all that was there. Leaving
 * the document drops the connection and not the answer, which is joined again on coming back.
 */
export class ChatController implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #options: ChatControllerOptions;
  /** Whom is asked and in whose name, as something to compare; null while nobody can be asked. */
  #asked: unknown = null;
  #owner = 0;
  #isStarted = false;
  #opening: Promise<OpenService> | null = null;
  #open: OpenService | null = null;
  /** Why there is nobody to ask. */
  #refusal: Problem | null = null;
  /** The thread that is open, or is to be as soon as there is a service. */
  #wanted: string | null = null;
  #thread: OpenThread | null = null;
  #threads = 0;
  /** A message that waits for the service; aborted where it is not to be sent after all. */
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

  /** The thread as it is shown. */
  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Where it stands. */
  get status(): ChatStatus {
    if (this.#sending) return ChatStatus.connecting;
    if (this.#thread) return this.#thread.status;
    return this.#opening && this.#wanted ? ChatStatus.loading : ChatStatus.idle;
  }

  /** Why the thread can't be read, or its last message not be answered; null while all is well. */
  get problem(): Problem | null {
    return this.#thread?.problem ?? this.#refusal;
  }

  /** Id of the thread; null while the service has not named it. */
  get chatId(): string | null {
    return this.#thread ? this.#thread.chatId : this.#wanted;
  }

  /** Another number for every thread that is opened, the same before and after the service has named it. */
  get thread(): number {
    return this.#threads;
  }

  /** Another number once what was there, drafts included, belongs to somebody else or to another agent. */
  get owner(): number {
    return this.#owner;
  }

  /** The service, once it is there. */
  get service(): ChatService | null {
    return this.#open?.service ?? null;
  }

  /** Questions that the service suggests. */
  get suggestions(): readonly string[] {
    return this.#offer.suggestions;
  }

  /** Whether the service keeps a list of threads. */
  get hasThreads(): boolean {
    return this.#offer.hasThreads;
  }

  /** Whether this user may not chat: the session says so, or the service did. */
  get isOff(): boolean {
    return this.#options.source()?.settings?.allowAi === false || this.problem?.kind === ProblemKind.denied;
  }

  /** Whether a message can be sent: somebody can be asked, and nothing is under way. */
  get isReady(): boolean {
    return this.#asked !== null && this.status === ChatStatus.idle && !this.isOff;
  }

  /** Sends a message and stays with its answer to the end. False where it was not sent, for want of `isReady` or of a service. */
  async send(text: string, images: readonly ChatImage[] = []): Promise<boolean> {
    if (!this.isReady) return false;
    const sending = new AbortController();
    this.#sending = sending;
    this.#host.requestUpdate();
    await this.#enter().catch(error => sending.signal.aborted || this.#refuse(error));
    if (sending.signal.aborted) return false;
    this.#sending = null;
    if (!this.#thread) return false;
    await this.#thread.send(text, images);
    return true;
  }

  /** Has the service stop the answer. @throws PaError where it could not be told: then the answer goes on. */
  async stop(): Promise<void> {
    if (this.#sending) this.#keepBack();
    else await this.#thread?.stop();
  }

  /** Goes on with an answer that was suspended, or asks once more what could not be asked. */
  async resume(): Promise<void> {
    if (this.isReady) await this.#thread?.resume();
  }

  /** Opens a thread, or a new one for null. An answer that is under way goes on without us. */
  open(chatId: string | null): void {
    this.#keepBack();
    this.#thread?.leave();
    this.#wanted = chatId || null;
    this.#threads += 1;
    this.#thread = this.#open ? this.#newThread(this.#open) : null;
    this.#show();
  }

  /** Begins again where something failed. */
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
    const asked = this.#askedNow(source);
    if (asked !== this.#asked) this.#forget(asked);
    if (asked === null || this.isOff || this.#refusal || !this.#options.isWanted()) return;
    if (this.#isStarted) this.#thread?.begin();
    else void this.#start();
  }

  hostConnected(): void {
    addEventListener('online', this.#wake);
  }

  hostDisconnected(): void {
    removeEventListener('online', this.#wake);
    // An element that is only moved is connected again before this runs.
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      this.#follow(null);
      this.#thread?.leave();
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    });
  }

  #askedNow(source: SessionSource | null): unknown {
    const given = this.#options.service();
    if (given) return given;
    const target = this.#options.target();
    const identity = target.proxyUrl ? '' : (source?.identity ?? null);
    return identity === null ? null : JSON.stringify([identity, target]);
  }

  /** Nothing of one identity or agent may stay for another. The thread that was asked for before there was any is kept. */
  #forget(asked: unknown): void {
    const chatId = this.#asked === null ? this.#wanted : null;
    if (this.#asked !== null) this.#owner += 1;
    this.#asked = asked;
    this.#opening = null;
    this.#open = null;
    this.#isStarted = false;
    this.#refusal = null;
    this.#offer = noOffer;
    this.open(chatId);
  }

  /** Gets the service, takes up the thread that is wanted, and asks what else there is. */
  async #start(): Promise<void> {
    const asked = this.#asked;
    this.#isStarted = true;
    try {
      const open = await this.#enter();
      if (asked !== this.#asked) return;
      this.#thread?.begin();
      const offer = await open.readOffer(open.service);
      if (asked !== this.#asked) return;
      this.#offer = offer;
      this.#host.requestUpdate();
    } catch (error) {
      if (asked === this.#asked) this.#refuse(error);
    }
  }

  /** Gets the service, and makes the thread that is wanted. */
  async #enter(): Promise<OpenService> {
    const asked = this.#asked;
    this.#opening ??= this.#connect();
    const open = await this.#opening;
    if (asked !== this.#asked) return open;
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
    const thread: OpenThread = new OpenThread(service, this.#wanted, {
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

  /** Brings the conversation up to date: a text that grew goes to the text alone. */
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

  /** What waits for the service is not sent. */
  #keepBack(): void {
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
