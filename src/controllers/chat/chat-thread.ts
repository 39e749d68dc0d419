import {
  joinTurn,
  newMessageId,
  type RunObserver,
  type RunStatus,
  readThread,
  runTurn,
  type TurnAsk,
  type TurnRun,
} from '../../client/chat/chat-run.js';
import type { ChatService } from '../../client/chat/chat-service.js';
import type { ChatStep, ChatTurn, Conversation } from '../../client/chat/conversation.js';
import { StreamReducer } from '../../client/chat/reduce.js';
import { PaError, PaErrorCode } from '../../client/errors.js';
import type { ChatImage } from '../../contract/chat.js';
import { type Problem, toProblem } from '../problem.js';
import { ChatStatus } from './chat-status.js';

/** What a thread works with. */
export interface ThreadOptions {
  /** Frames came: `conversation` may be another one. */
  readonly onFrames: () => void;
  /** Status, problem or conversation are others, to be shown at once. */
  readonly onChange: () => void;
  /** A tool came to its end while an answer was being given. */
  readonly onTool: (step: ChatStep) => void;
  /** Called once for every failure. */
  readonly onProblem: (problem: Problem) => void;
}

/** Of an answer of which the service says no more. */
const failed = 'The answer failed.';

type StartRun = (observer: RunObserver, signal: AbortSignal) => TurnRun;

const statusOf: Readonly<Record<RunStatus, ChatStatus>> = {
  connecting: ChatStatus.connecting,
  streaming: ChatStatus.streaming,
  reconnecting: ChatStatus.reconnecting,
  suspended: ChatStatus.reconnecting,
  offline: ChatStatus.offline,
};

/** One thread as it stands open: read, sent to, and followed while it is being answered. Another thread is another object. */
export class OpenThread {
  readonly #service: ChatService;
  readonly #options: ThreadOptions;
  #status: ChatStatus = ChatStatus.idle;
  #problem: Problem | null = null;
  #reducer = new StreamReducer();
  #turn: TurnRun | null = null;
  /** Of what is under way; another one for whatever comes next. */
  #work = new AbortController();
  /** The thread that has yet to be read. */
  #unread: string | null;
  /** An answer was left while it was under way. */
  #isLeft = false;
  #told: ReadonlySet<string> = new Set();

  /** `chatId` is null for a thread that begins with its first message. */
  constructor(service: ChatService, chatId: string | null, options: ThreadOptions) {
    this.#service = service;
    this.#unread = chatId;
    this.#options = options;
  }

  get conversation(): Conversation {
    return this.#reducer.conversation;
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
    return this.#follow((observer, signal) => {
      const { chatId, turns } = this.conversation;
      const messageId = newMessageId(turns.at(-1)?.id ?? null);
      this.#told = new Set();
      return this.#ask({ chatId, messageId, input: text, images }, observer, signal);
    });
  }

  /** Goes on with the last answer: one that was suspended, left, or is under way. One that could not be asked for is asked for again. */
  async resume(): Promise<void> {
    const turn = this.conversation.turns.at(-1);
    if (!turn) return;
    await this.#follow((observer, signal) => {
      const { chatId } = this.conversation;
      const messageId = turn.id;
      this.#told = new Set(settledSteps(turn).map(({ id }) => id));
      if (chatId && turn.end !== 'failed') return joinTurn(this.#service, { chatId, messageId }, observer, signal);
      const { content, images } = turn.prompt ?? { content: null, images: [] };
      return this.#ask({ chatId, messageId, input: content, images }, observer, signal);
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
    await this.#do(ChatStatus.loading, async signal => {
      const reducer = new StreamReducer();
      await readThread(this.#service, chatId, observerOf(reducer), signal);
      if (signal.aborted) return;
      this.#reducer = reducer;
      this.#unread = null;
    });
    if (this.#status === ChatStatus.idle && this.conversation.isStreaming) await this.resume();
  }

  #ask(ask: Required<TurnAsk>, observer: RunObserver, signal: AbortSignal): TurnRun {
    const { messageId, input, images } = ask;
    if (input !== null) this.#reducer.ask(messageId, { content: input, images });
    this.#options.onChange();
    return runTurn(this.#service, ask, observer, signal);
  }

  async #follow(start: StartRun): Promise<void> {
    await this.#do(ChatStatus.connecting, async signal => {
      this.#isLeft = false;
      this.#turn = start(this.#observe(signal), signal);
      await this.#turn.done;
      if (signal.aborted) return;
      this.#settle('interrupted');
      const { end, error } = this.conversation.turns.at(-1) ?? {};
      if (end === 'failed') this.#options.onProblem(toProblem(new PaError(PaErrorCode.serverFailed, error ?? failed)));
    });
  }

  /** Does one thing at a time; what fails is told, unless it was left. */
  async #do(status: ChatStatus, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#status !== ChatStatus.idle) return;
    this.#work = new AbortController();
    const { signal } = this.#work;
    this.#problem = null;
    this.#setStatus(status);
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
    if (signal.aborted) return;
    this.#turn = null;
    this.#setStatus(ChatStatus.idle);
  }

  #observe(signal: AbortSignal): RunObserver {
    const inner = observerOf(this.#reducer);
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
    if (this.conversation.turns.at(-1)?.end === null) this.#reducer.settle(end, null);
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
