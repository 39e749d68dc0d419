import type { ChatFeedback } from '../../contract/chat.js';

/** Options of a feedback queue. */
interface FeedbackQueueOptions {
  readonly store: (messageId: string, feedback: ChatFeedback | null) => Promise<void>;
  /** Called if the latest feedback on a message could not be stored, with the feedback that the service has. */
  readonly onFailure: (messageId: string, stored: ChatFeedback | null, error: unknown) => void;
}

/** Feedback on one message that is being stored. */
interface PendingFeedback {
  /** Feedback that the service has stored. */
  stored: ChatFeedback | null;
  latest: ChatFeedback | null;
  readonly done: Promise<boolean>;
}

/**
 * Stores the feedback on the messages of a thread. Requests for one message run sequentially, so that the latest
 * feedback is stored last; feedback that was replaced in the meantime is not sent.
 */
export class FeedbackQueue {
  readonly #options: FeedbackQueueOptions;
  readonly #pending = new Map<string, PendingFeedback>();

  constructor(options: FeedbackQueueOptions) {
    this.#options = options;
  }

  /**
   * Stores the feedback on a message; `null` removes it.
   * @param stored - the feedback that the service has. Ignored while feedback on the message is being stored.
   * @returns whether the latest feedback on the message was stored.
   */
  store(messageId: string, latest: ChatFeedback | null, stored: ChatFeedback | null): Promise<boolean> {
    const pending = this.#pending.get(messageId);
    if (!pending) return this.#begin(messageId, latest, stored);
    pending.latest = latest;
    return pending.done;
  }

  #begin(messageId: string, latest: ChatFeedback | null, stored: ChatFeedback | null): Promise<boolean> {
    // The first request is sent once the entry exists.
    const done = Promise.resolve().then(() => this.#send(messageId));
    this.#pending.set(messageId, { stored, latest, done });
    return done;
  }

  async #send(messageId: string): Promise<boolean> {
    const pending = this.#pending.get(messageId);
    if (!pending) return true;
    const { latest } = pending;
    let failure: { readonly error: unknown } | null = null;
    try {
      await this.#options.store(messageId, latest);
      pending.stored = latest;
    } catch (error) {
      failure = { error };
    }
    // Newer feedback that has replaced this feedback is sent even after a failure.
    if (pending.latest !== latest) return this.#send(messageId);
    this.#pending.delete(messageId);
    if (failure) this.#options.onFailure(messageId, pending.stored, failure.error);
    return failure === null;
  }
}
