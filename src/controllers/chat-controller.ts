import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ChatService } from '../client/chat/chat-service.js';
import { type ChatStep, type ChatTurn, type Conversation, emptyConversation } from '../client/chat/conversation.js';
import type { ChatImage } from '../contract/chat.js';
import { grownTurn } from './chat-change.js';
import { ChatStatus, type OpenService, OpenThread } from './chat-thread.js';
import { type Problem, ProblemKind, toProblem } from './problem.js';
import type { SessionSource } from './session-context.js';

export type { ChatService } from '../client/chat/chat-service.js';
export type {
  ChatPart,
  ChatPrompt,
  ChatStep,
  ChatText,
  ChatTurn,
  Conversation,
  TurnEnd,
} from '../client/chat/conversation.js';
export type { ChatImage, ChatUsage } from '../contract/chat.js';
export { ChatStatus } from './chat-thread.js';

/** Which agent is asked, and over which way. */
export interface ChatTarget {
  readonly account: string;
  readonly agentId: string | null;
  readonly deploymentId: string | null;
  /** Absolute addresses. */
  readonly aiUrl: string | null;
  readonly proxyUrl: string | null;
}

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

/** What an agent offers beside its answers. */
interface Offer {
  readonly suggestions: readonly string[];
  readonly hasThreads: boolean;
}

const noOffer: Offer = { suggestions: [], hasThreads: false };

/**
 * The chat of an element with one agent, in the name of one identity: another identity or agent drops all that was there. Leaving
 * the document drops the connection and not the answer, which is joined again on coming back.
 */
export class ChatController implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #options: ChatControllerOptions;
  #thread: OpenThread;
  #threads = 0;
  #owner = 0;
  #conversation: Conversation = emptyConversation;
  /** Whom is asked and in whose name, as something to compare; null while nobody can be asked. */
  #asked: unknown = null;
  #opening: Promise<OpenService> | null = null;
  #service: ChatService | null = null;
  /** Null until it is asked for. */
  #offer: Offer | null = null;
  /** Why there is nobody to ask. */
  #refusal: Problem | null = null;
  #frame = 0;
  #followed: SessionSource | null = null;
  #unfollow: (() => void) | null = null;
  readonly #wake = (): void => this.#thread.wake();

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, options: ChatControllerOptions) {
    this.#host = host;
    this.#options = options;
    this.#thread = this.#newThread(null);
    host.addController(this);
  }

  /** The thread as it is shown. */
  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Where it stands. */
  get status(): ChatStatus {
    return this.#thread.status;
  }

  /** Why the thread can't be read, or its last message not be answered; null while all is well. */
  get problem(): Problem | null {
    return this.#thread.problem ?? this.#refusal;
  }

  /** Id of the thread; null while the service has not named it. */
  get chatId(): string | null {
    return this.#thread.chatId;
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
    return this.#service;
  }

  /** Questions that the service suggests. */
  get suggestions(): readonly string[] {
    return this.#offer?.suggestions ?? [];
  }

  /** Whether the service keeps a list of threads. */
  get hasThreads(): boolean {
    return this.#offer?.hasThreads ?? false;
  }

  /** Whether this user may not chat: the session says so, or the service did. */
  get isOff(): boolean {
    return this.#options.source()?.settings?.allowAi === false || this.problem?.kind === ProblemKind.denied;
  }

  /** Whether a message can be sent: somebody can be asked, and nothing is under way. */
  get isReady(): boolean {
    return this.#asked !== null && this.status === ChatStatus.idle && !this.isOff;
  }

  /** Sends a message and stays with its answer to the end, where `isReady`. */
  async send(text: string, images: readonly ChatImage[] = []): Promise<void> {
    if (this.isReady) await this.#thread.send(text, images);
  }

  /** Has the service stop the answer. @throws PaError where it could not be told: then the answer goes on. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }

  /** Goes on with an answer that was suspended, or asks once more what could not be asked. */
  async resume(): Promise<void> {
    if (this.isReady) await this.#thread.resume();
  }

  /** Opens a thread, or a new one for null. An answer that is under way goes on without us. */
  open(chatId: string | null): void {
    this.#thread.leave();
    this.#thread = this.#newThread(chatId);
    this.#show();
    this.#host.requestUpdate();
  }

  /** Begins again where something failed. */
  retry(): void {
    if (this.#refusal) this.#offer = this.#refusal = null;
    this.#thread.retry();
    this.#begin();
  }

  hostUpdate(): void {
    if (!this.#host.isConnected) return;
    const source = this.#options.source();
    this.#follow(source);
    const asked = this.#askedNow(source);
    if (asked !== this.#asked) this.#forget(asked);
    this.#begin();
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
      this.#thread.leave();
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    });
  }

  #begin(): void {
    if (this.#asked === null || this.isOff || !this.#options.isWanted()) return;
    this.#thread.begin();
    if (!this.#offer) void this.#readOffer();
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
    const chatId = this.#asked === null ? this.#thread.chatId : null;
    if (this.#asked !== null) this.#owner += 1;
    this.#asked = asked;
    this.#opening = null;
    this.#service = null;
    this.#offer = null;
    this.#refusal = null;
    this.open(chatId);
  }

  #newThread(chatId: string | null): OpenThread {
    this.#threads += 1;
    const thread: OpenThread = new OpenThread(chatId, {
      open: () => this.#open(),
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
    this.#conversation = this.#thread.conversation;
    if (before === this.#conversation) return;
    const grown = grownTurn(before, this.#conversation);
    if (grown) this.#options.onGrow(grown);
    else this.#host.requestUpdate();
  }

  #open(): Promise<OpenService> {
    this.#opening ??= this.#connect().catch(error => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #connect(): Promise<OpenService> {
    const asked = this.#asked;
    const source = this.#options.source();
    const services = await import('./chat-services.js');
    const service = this.#options.service() ?? services.openChat(openOptions(this.#options.target(), source));
    if (asked === this.#asked) this.#service = service;
    return { services, service };
  }

  async #readOffer(): Promise<void> {
    const asked = this.#asked;
    this.#offer = noOffer;
    try {
      const { service } = await this.#open();
      const [suggestions, threads] = await Promise.all([
        service.suggestions().catch(unlessDenied),
        service.threads().catch(() => null),
      ]);
      if (asked === this.#asked) this.#offer = { suggestions, hasThreads: threads !== null };
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#refusal = toProblem(error);
      this.#options.onProblem(this.#refusal);
    }
    this.#host.requestUpdate();
  }

  #follow(source: SessionSource | null): void {
    if (source === this.#followed) return;
    this.#unfollow?.();
    this.#followed = source;
    this.#unfollow =
      source?.subscribe(event => {
        if (event.type === 'identity') this.#forget(null);
        else if (event.type === 'wake') this.#thread.wake();
      }) ?? null;
  }
}

function openOptions(
  target: ChatTarget,
  source: SessionSource | null,
): Parameters<OpenService['services']['openChat']>[0] {
  const { account, agentId, deploymentId, aiUrl, proxyUrl } = target;
  return {
    account,
    agentId: agentId ?? undefined,
    deploymentId: deploymentId ?? undefined,
    aiUrl: aiUrl ?? undefined,
    ...(proxyUrl ? { proxyUrl } : { source: source ?? undefined }),
  };
}

/** A chat without suggestions is one all the same, unless it is one that may not be used. */
function unlessDenied(error: unknown): readonly string[] {
  if (toProblem(error).kind === ProblemKind.denied) throw error;
  return [];
}
