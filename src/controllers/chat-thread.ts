import type { RunObserver, RunStatus, TurnRun } from '../client/chat/chat-run.js';
import type { ChatService } from '../client/chat/chat-service.js';
import { type ChatStep, type ChatTurn, type Conversation, emptyConversation } from '../client/chat/conversation.js';
import type { StreamReducer } from '../client/chat/reduce.js';
import type { ChatImage } from '../contract/chat.js';
import { type Problem, toProblem } from './problem.js';

/** Where a chat stands. How the last answer ended is told by its turn. */
export const ChatStatus = {
  /** Nothing is under way. */
  idle: 'idle',
  /** A thread is being read. */
  loading: 'loading',
  /** A message is on its way, and nothing came back yet. */
  connecting: 'connecting',
  streaming: 'streaming',
  /** The connection was lost, and is being taken up again. */
  reconnecting: 'reconnecting',
  /** It has been lost for a while; it is tried again, at once when the network is back. */
  offline: 'offline',
} as const;
/** Where a chat stands. */
export type ChatStatus = (typeof ChatStatus)[keyof typeof ChatStatus];

/** A service, and what it takes to speak to it. */
export interface OpenService {
  readonly service: ChatService;
  readonly services: typeof import('./chat-services.js');
}

/** What a thread works with. */
export interface ThreadOptions {
  readonly open: () => Promise<OpenService>;
  /** Frames came: `conversation` may be another one. */
  readonly onFrames: () => void;
  /** Status, problem or conversation are others, to be shown at once. */
  readonly onChange: () => void;
  /** A tool came to its end while an answer was being given. */
  readonly onTool: (step: ChatStep) => void;
  /** Called once for every failure. */
  readonly onProblem: (problem: Problem) => void;
}

type StartRun = (open: OpenService, observer: RunObserver, signal: AbortSignal) => TurnRun;

const statusOf: Readonly<Record<RunStatus, ChatStatus>> = {
  connecting: ChatStatus.connecting,
  streaming: ChatStatus.streaming,
  reconnecting: ChatStatus.reconnecting,
  suspended: ChatStatus.reconnecting,
  offline: ChatStatus.offline,
};

/** One thread as it stands open: read, sent to, and followed while it is being answered. Another thread is another object. */
export class OpenThread {
  readonly #options: ThreadOptions;
  #status: ChatStatus = ChatStatus.idle;
  #problem: Problem | null = null;
  #reducer: StreamReducer | null = null;
  #turn: TurnRun | null = null;
  /** Of what is under way; another one for whatever comes next. */
  #work = new AbortController();
  /** The thread that has yet to be read. */
  #unread: string | null;
  /** An answer was left while it was under way. */
  #isLeft = false;
  #told: ReadonlySet<string> = new Set();

  /** `chatId` is null for a thread that begins with its first message. */
  constructor(chatId: string | null, options: ThreadOptions) {
    this.#unread = chatId;
    this.#options = options;
  }

  get conversation(): Conversation {
    return this.#reducer?.conversation ?? emptyConversation;
  }

  get status(): ChatStatus {
    return this.#status;
  }

  /** Why the thread can't be read, or its last message not be answered; null while all is well. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** Id of the thread; null while the service has not named it. */
  get chatId(): string | null {
    return this.#unread ?? this.conversation.chatId;
  }

  /** Takes up what has yet to be done, or was left. */
  begin(): void {
    if (this.#status !== ChatStatus.idle || this.#problem) return;
    if (this.#unread) void this.#read(this.#unread);
    else if (this.#isLeft) void this.resume();
  }

  /** Begins again where something failed. */
  retry(): void {
    this.#problem = null;
    this.begin();
    this.#options.onChange();
  }

  /** Sends a message and stays with its answer to the end. */
  send(text: string, images: readonly ChatImage[]): Promise<void> {
    return this.#follow(ChatStatus.connecting, ({ services, service }, observer, signal) => {
      const reducer = this.#takeReducer(services);
      const { chatId, turns } = reducer.conversation;
      const messageId = services.newMessageId(turns.at(-1)?.id ?? null);
      reducer.ask(messageId, { content: text, images });
      this.#told = new Set();
      this.#options.onChange();
      return services.runTurn(service, { chatId, messageId, input: text, images }, observer, signal);
    });
  }

  /** Goes on with the last answer: one that was suspended, left, or is under way. One that could not be asked for is asked for again. */
  async resume(): Promise<void> {
    const turn = this.conversation.turns.at(-1);
    if (!turn) return;
    await this.#follow(ChatStatus.connecting, ({ services, service }, observer, signal) => {
      const { chatId } = this.conversation;
      const messageId = turn.id;
      this.#told = new Set(settledSteps(turn).map(({ id }) => id));
      if (chatId && turn.end !== 'failed') return services.joinTurn(service, { chatId, messageId }, observer, signal);
      const { content, images } = turn.prompt ?? { content: null, images: [] };
      if (turn.prompt) this.#takeReducer(services).ask(messageId, turn.prompt);
      this.#options.onChange();
      return services.runTurn(service, { chatId, messageId, input: content, images }, observer, signal);
    });
  }

  /** Has the service stop the answer. @throws PaError where it could not be told. */
  async stop(): Promise<void> {
    await this.#turn?.stop();
  }

  /** The tab came to the foreground, or the network is back. */
  wake(): void {
    this.#turn?.wake();
  }

  /** Lets go of the connection. The answer goes on; `begin` comes back to it. */
  leave(): void {
    if (this.#turn) this.#isLeft = true;
    this.#work.abort();
    this.#turn = null;
    this.#status = ChatStatus.idle;
  }

  async #read(chatId: string): Promise<void> {
    await this.#do(ChatStatus.loading, async ({ services, service }, signal) => {
      const reducer = new services.StreamReducer();
      await services.readThread(service, chatId, observerOf(reducer), signal);
      if (signal.aborted) return;
      this.#reducer = reducer;
      this.#unread = null;
    });
    if (this.#status === ChatStatus.idle && this.conversation.isStreaming) await this.resume();
  }

  async #follow(status: ChatStatus, start: StartRun): Promise<void> {
    await this.#do(status, async (open, signal) => {
      this.#isLeft = false;
      const turn = start(open, this.#observe(this.#takeReducer(open.services), signal), signal);
      this.#turn = turn;
      await turn.done;
      if (!signal.aborted) this.#settle('interrupted');
    });
  }

  /** Does one thing at a time; what fails is told, unless something else has taken its place. */
  async #do(status: ChatStatus, work: (open: OpenService, signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#status !== ChatStatus.idle) return;
    this.#work = new AbortController();
    const { signal } = this.#work;
    this.#problem = null;
    this.#setStatus(status);
    try {
      const open = await this.#options.open();
      if (!signal.aborted) await work(open, signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
    if (signal.aborted) return;
    this.#turn = null;
    this.#setStatus(ChatStatus.idle);
  }

  #observe(reducer: StreamReducer, signal: AbortSignal): RunObserver {
    const inner = observerOf(reducer);
    return {
      onOpen: (kind, messageId) => inner.onOpen(kind, messageId),
      onFrames: frames => {
        if (signal.aborted) return;
        inner.onFrames(frames);
        if (frames.some(frame => frame.toolCall)) this.#tellSteps();
        this.#options.onFrames();
      },
      onStatus: status => {
        if (!signal.aborted) this.#setStatus(statusOf[status]);
      },
    };
  }

  #tellSteps(): void {
    for (const step of settledSteps(this.conversation.turns.at(-1))) {
      if (this.#told.has(step.id)) continue;
      this.#told = new Set([...this.#told, step.id]);
      this.#options.onTool(step);
    }
  }

  #fail(error: unknown): void {
    this.#settle('failed');
    this.#problem = toProblem(error);
    this.#options.onProblem(this.#problem);
  }

  /** Nothing goes on where nothing is under way. */
  #settle(end: 'failed' | 'interrupted'): void {
    if (this.conversation.turns.at(-1)?.end === null) this.#reducer?.settle(end, null);
  }

  #takeReducer(services: OpenService['services']): StreamReducer {
    this.#reducer ??= new services.StreamReducer();
    return this.#reducer;
  }

  #setStatus(status: ChatStatus): void {
    this.#status = status;
    this.#options.onChange();
  }
}

function observerOf(reducer: StreamReducer): RunObserver {
  return {
    onOpen: (kind, messageId) => reducer.open(kind, messageId),
    onFrames: frames => reducer.push(frames),
    onStatus: () => {},
  };
}

function settledSteps(turn: ChatTurn | undefined): ChatStep[] {
  return turn?.parts.filter(part => part.type === 'step').filter(step => step.status !== 'running') ?? [];
}
