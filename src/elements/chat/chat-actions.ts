import type { ChatController, ChatImage, ChatTurn } from '../../controllers/chat/chat-controller.js';
import { PaChatFeedbackEvent, PaChatMessageEvent, PaChatOpenReportEvent } from '../../controllers/chat/chat-events.js';
import { maxImages, maxInputLength } from '../../controllers/chat/chat-status.js';
import type { TurnActions } from './chat-context.js';
import type { ComposerActions, PaChatComposer } from './composer/composer-element.js';
import type { PaChatContext } from './context/context-element.js';
import type { PinContext } from './pin/pin-element.js';
import type { PaChatTranscript } from './transcript/transcript-element.js';

interface ChatActionsOptions {
  readonly chat: ChatController;
  readonly composer: () => PaChatComposer | null;
  /** The transcript; `null` until it is loaded. */
  readonly transcript: () => PaChatTranscript | null;
  /** The context of messages; `null` if `for` is not set, or until its element is loaded. */
  readonly context: () => PaChatContext | null;
  /** Called before a message is sent. */
  readonly onSend: () => void;
  readonly stop: () => Promise<void>;
  /** Announces text to screen readers. */
  readonly announce: (text: string) => void;
}

/** The actions of a chat's turns and composer: send, resend, edit, rate, stop, and move the focus between them. */
export class ChatActions {
  readonly #target: EventTarget;
  readonly #options: ChatActionsOptions;
  readonly turn: TurnActions;
  readonly composer: ComposerActions;
  #pins: PinContext | null = null;

  /** @param target - receives `pa-chat-message` and `pa-chat-feedback`. */
  constructor(target: EventTarget, options: ChatActionsOptions) {
    this.#target = target;
    this.#options = options;
    const { chat, composer, context, transcript, stop, announce } = options;
    this.turn = {
      again: turn => this.#repeat(turn),
      edit: ({ prompt }) => composer()?.edit(prompt?.content ?? '', prompt?.images),
      rate: (turn, feedback) => {
        const detail = { threadId: chat.chatId, messageId: turn.id, rating: null, ...feedback };
        target.dispatchEvent(new PaChatFeedbackEvent(detail));
        return chat.rate(turn, feedback);
      },
      leave: () => composer()?.focus(),
      changeOf: stepId => context()?.changeOf({ thread: chat.thread, stepId }) ?? null,
      describeChange: stepId => context()?.describeChange({ thread: chat.thread, stepId }) ?? null,
      announce,
      answerId: stepId => `${chat.thread} ${stepId}`,
      openReport: (stepId, report) =>
        target.dispatchEvent(new PaChatOpenReportEvent({ report, threadId: chat.chatId, stepId })),
    };
    this.composer = {
      send: (text, images) => this.send(text, images),
      // Ignore the error here, because `PaChat.stop()` shows the error.
      stop: () => void stop().catch(() => {}),
      editLast: () => {
        const last = chat.conversation.turns.at(-1);
        if (last?.prompt) this.turn.edit(last);
      },
      toAnswer: () => transcript()?.focusAnswer(),
    };
  }

  /**
   * The target to which answers of the open thread can be pinned; `null` if there is none. Returns the same object
   * until the thread or the target changes.
   */
  get pins(): PinContext | null {
    const { chat, context, announce } = this.#options;
    const target = context()?.pinTarget ?? null;
    const threadId = chat.chatId;
    if (target === (this.#pins?.target ?? null) && threadId === (this.#pins?.threadId ?? null)) return this.#pins;
    this.#pins = target && threadId !== null ? { target, threadId, announce } : null;
    return this.#pins;
  }

  /**
   * Sends a valid message unless the host cancels it. Resolves when its answer ends; returns `null` if the message was
   * not sent.
   */
  send(text: string, images: readonly ChatImage[]): Promise<boolean> | null {
    const { chat, transcript, context, onSend } = this.#options;
    const isEmpty = text === '' && images.length === 0;
    if (isEmpty || text.length > maxInputLength || images.length > maxImages || !chat.isReady) return null;
    if (!this.#target.dispatchEvent(new PaChatMessageEvent({ text, images, threadId: chat.chatId }))) return null;
    onSend();
    transcript()?.toLatest();
    return chat.send(text, images, context()?.take(chat.thread) ?? null);
  }

  /** Sends the message of a turn again, or resumes its answer. */
  #repeat(turn: ChatTurn): void {
    const { chat, composer, transcript } = this.#options;
    const isLast = turn.id === chat.conversation.turns.at(-1)?.id;
    if (turn.end !== 'stop') transcript()?.focus({ preventScroll: true });
    if (isLast && (turn.end === 'suspended' || chat.problem)) void chat.resume();
    else if (turn.prompt) composer()?.send(turn.prompt.content, turn.prompt.images);
  }
}
