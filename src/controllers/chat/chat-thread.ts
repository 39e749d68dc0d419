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
import type { ChatContext, ChatFeedback, ChatImage } from '../../contract/chat.js';
import { type Problem, toProblem } from '../problem.js';
import { ChatStatus } from './chat-status.js';
import { FeedbackQueue } from './feedback-queue.js';

/** Callbacks of a thread. */
export interface ThreadOptions {
  /** Called when frames have arrived; `conversation` may have changed. */
  readonly onFrames: () => void;
  /** Called when the status, problem or conversation has changed. The caller must render immediately. */
  readonly onChange: () => void;
  /** Called when a tool finishes during an answer. */
  readonly onTool: (step: ChatStep) => void;
  /** Called once for every failure. */
  readonly onProblem: (problem: Problem) => void;
}

/** Default message for an answer that failed without a reason. */
const failed = 'The answer could not be completed. Send the message again.';

type StartRun = (observer: RunObserver, signal: AbortSignal) => TurnRun;

const statusOf: Readonly<Record<RunStatus, ChatStatus>> = {
  connecting: ChatStatus.connecting,
  streaming: ChatStatus.streaming,
  reconnecting: ChatStatus.reconnecting,
  suspended: ChatStatus.reconnecting,
  offline: ChatStatus.offline,
};

/** One open thread: reads it, sends messages and follows answers. Each thread has its own object. */
export class OpenThread {
  readonly #service: ChatService;
  readonly #options: ThreadOptions;
  #status: ChatStatus = ChatStatus.idle;
  #problem: Problem | null = null;
  #reducer = new StreamReducer();
  #turn: TurnRun | null = null;
  /** Aborts the operation in progress; replaced for every operation. */
  #work = new AbortController();
  /** Id of the thread that has not been read yet. */
  #unread: string | null;
  /** Whether the connection was closed while an answer was in progress. */
  #isLeft = false;
  #reportedSteps: ReadonlySet<string> = new Set();
  readonly #feedback = new FeedbackQueue({
    store: async (messageId, feedback) => {
      const { chatId } = this.conversation;
      if (chatId) await this.#service.rate?.(chatId, messageId, feedback);
    },
    onFailure: (messageId, stored, error) => {
      this.#showFeedback(messageId, stored);
      this.#options.onProblem(toProblem(error));
    },
  });
  /** The context of the last message, which is sent again with it. */
  #context: ChatContext | null = null;

  /** `chatId` is `null` for a thread that starts with its first message. */
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

  /** Reason why the thread could not be read, or its last message not answered; `null` if there is no error. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** Id of the thread; `null` until the service has assigned one. */
  get chatId(): string | null {
    return this.#unread ?? this.conversation.chatId;
  }

  /** Reads the thread if it has not been read, or resumes an abandoned answer. */
  begin(): void {
    if (this.#status !== ChatStatus.idle || this.#problem) return;
    if (this.#unread) void this.#read(this.#unread);
    else if (this.#isLeft) void this.resume();
  }

  /** Retries after a failure. */
  retry(): void {
    this.#problem = null;
    this.begin();
    this.#options.onChange();
  }

  /** Sends a message and follows its answer until it ends. */
  send(text: string, images: readonly ChatImage[], context: ChatContext | null = null): Promise<void> {
    return this.#follow((observer, signal) => {
      const { chatId, turns } = this.conversation;
      const messageId = newMessageId(turns.at(-1)?.id ?? null);
      this.#reportedSteps = new Set();
      this.#context = context;
      return this.#ask({ chatId, messageId, input: text, images }, observer, signal);
    });
  }

  /**
   * Resumes the last answer if it is suspended, abandoned or in progress. If it has failed, sends its message again, in
   * a new thread if the service no longer has this one.
   */
  async resume(): Promise<void> {
    const turn = this.conversation.turns.at(-1);
    if (!turn) return;
    const { id: messageId, prompt } = turn;
    const { chatId } = this.conversation;
    this.#reportedSteps = new Set(settledSteps(turn).map(({ id }) => id));
    if (chatId && turn.end !== 'failed') {
      await this.#follow((observer, signal) => joinTurn(this.#service, { chatId, messageId }, observer, signal));
      return;
    }
    const { content, images } = prompt ?? { content: null, images: [] };
    const sendTo =
      (threadId: string | null): StartRun =>
      (observer, signal) =>
        this.#ask({ chatId: threadId, messageId, input: content, images }, observer, signal);
    await this.#follow(sendTo(chatId), chatId && prompt ? sendTo(null) : null);
  }

  /**
   * Stops the answer on the service.
   * @throws {PaError} if the service could not be reached.
   */
  async stop(): Promise<void> {
    await this.#turn?.stop();
  }

  /**
   * Shows the user's feedback on an answer and stores it. If that fails, the stored feedback is shown again.
   * @param feedback - `null` removes the feedback.
   * @returns whether it was stored.
   */
  rate(turn: ChatTurn, feedback: ChatFeedback | null): Promise<boolean> {
    this.#showFeedback(turn.id, feedback);
    return this.#feedback.store(turn.id, feedback, turn.feedback);
  }

  /** Retries a pending connection immediately. Called when the tab comes to the foreground or the network is back. */
  wake(): void {
    this.#turn?.wake();
  }

  /** Closes the connection. The service continues the answer; `begin` reconnects to it. */
  leave(): void {
    if (this.#turn) this.#isLeft = true;
    this.#work.abort();
    this.#turn = null;
    this.#status = ChatStatus.idle;
  }

  async #read(chatId: string): Promise<void> {
    await this.#runExclusive(ChatStatus.loading, async signal => {
      const reducer = new StreamReducer();
      await readThread(this.#service, chatId, observerOf(reducer), signal);
      if (signal.aborted) return;
      this.#reducer = reducer;
      this.#unread = null;
    });
    if (this.#status === ChatStatus.idle && this.conversation.isStreaming) await this.resume();
  }

  #ask(ask: Required<Omit<TurnAsk, 'context'>>, observer: RunObserver, signal: AbortSignal): TurnRun {
    const { messageId, input, images } = ask;
    if (input !== null) this.#reducer.ask(messageId, { content: input, images });
    this.#options.onChange();
    return runTurn(this.#service, { ...ask, context: this.#context }, observer, signal);
  }

  /** @param startElsewhere - called if the service does not have the thread; `null` to report that as a failure. */
  async #follow(start: StartRun, startElsewhere: StartRun | null = null): Promise<void> {
    await this.#runExclusive(ChatStatus.connecting, async signal => {
      this.#isLeft = false;
      const run = (begin: StartRun): Promise<void> => {
        this.#turn = begin(this.#observe(signal), signal);
        return this.#turn.done;
      };
      await run(start).catch(error => {
        if (!startElsewhere || !isMissing(error)) throw error;
        return run(startElsewhere);
      });
      if (signal.aborted) return;
      this.#settle('interrupted');
      const { end, error } = this.conversation.turns.at(-1) ?? {};
      if (end === 'failed') this.#options.onProblem(toProblem(new PaError(PaErrorCode.serverFailed, error ?? failed)));
    });
  }

  /** Runs an operation, unless another one is running. Reports its failure, unless it was aborted. */
  async #runExclusive(status: ChatStatus, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
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
        if (frames.some(frame => frame.toolCall)) this.#reportSteps();
        this.#options.onFrames();
      },
      onStatus: status => {
        if (!signal.aborted) this.#setStatus(statusOf[status]);
      },
    };
  }

  #reportSteps(): void {
    for (const step of settledSteps(this.conversation.turns.at(-1))) {
      if (this.#reportedSteps.has(step.id)) continue;
      this.#reportedSteps = new Set([...this.#reportedSteps, step.id]);
      this.#options.onTool(step);
    }
  }

  #fail(error: unknown): void {
    this.#settle('failed');
    this.#problem = toProblem(error);
    this.#options.onProblem(this.#problem);
  }

  /** Ends the last turn if it has not ended. */
  #settle(end: 'failed' | 'interrupted'): void {
    if (this.conversation.turns.at(-1)?.end === null) this.#reducer.settle(end, null);
  }

  #showFeedback(messageId: string, feedback: ChatFeedback | null): void {
    this.#reducer.rate(messageId, feedback);
    this.#options.onChange();
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

function isMissing(error: unknown): boolean {
  return error instanceof PaError && error.status === 404;
}

function settledSteps(turn: ChatTurn | undefined): ChatStep[] {
  return turn?.parts.filter(part => part.type === 'step').filter(step => step.status !== 'running') ?? [];
}
