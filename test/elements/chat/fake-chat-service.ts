import type { ChatService, ChatThreads, StreamAsk, StreamOptions } from '../../../src/client/chat/chat-service.js';
import { PaAbortError, PaConnectionError } from '../../../src/client/errors.js';
import type { ChatFeedback, ChatFrame, ChatThread } from '../../../src/contract/chat.js';
import { cutoff, echo, piece, usage, whole } from '../../client/chat/fake-chat.js';

/** An open stream; the test supplies its frames. */
export interface FakeStream {
  readonly ask: StreamAsk;
  readonly signal: AbortSignal | undefined;
  /** The service responds. */
  open(): void;
  send(...frames: readonly ChatFrame[]): void;
  /** The stream ends normally. */
  end(): void;
  /** The connection is lost. */
  cut(): void;
  fail(error: unknown): void;
}

/** A Chat API without a network. */
export class FakeChat implements ChatService {
  readonly streams: FakeStream[] = [];
  readonly aborted: string[] = [];
  /** Answers streams immediately if set. */
  answers: ((stream: FakeStream) => void) | null = null;
  list: ChatThread[] | null = null;
  suggested: readonly string[] | Error = [];
  stopError: Error | null = null;
  /** Stored feedback in call order. */
  readonly rated: [chatId: string, messageId: string, feedback: ChatFeedback | null][] = [];
  /** Called before feedback is stored. */
  onRate: () => Promise<void> = async () => {};

  get last(): FakeStream {
    const stream = this.streams.at(-1);
    if (!stream) throw new Error('No stream was requested.');
    return stream;
  }

  stream(ask: StreamAsk, { signal, onFrame, onOpen }: StreamOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      let isOpen = false;
      const open = (): void => {
        if (!isOpen) onOpen?.();
        isOpen = true;
      };
      const stream: FakeStream = {
        ask,
        signal,
        open,
        send: (...frames) => {
          open();
          for (const frame of frames) onFrame(frame, null);
        },
        end: resolve,
        cut: () => reject(new PaConnectionError('The connection was lost.')),
        fail: reject,
      };
      signal?.addEventListener('abort', () => reject(new PaAbortError()));
      this.streams.push(stream);
      this.answers?.(stream);
    });
  }

  async abort(chatId: string): Promise<void> {
    this.aborted.push(chatId);
    if (this.stopError) throw this.stopError;
  }

  async threads(): Promise<ChatThreads | null> {
    return this.list && { items: this.list, next: null };
  }

  async rename(id: string, title: string): Promise<ChatThread> {
    return { id, title, createdAt: '', updatedAt: '', isStreaming: false };
  }

  async remove(): Promise<void> {}

  async rate(chatId: string, messageId: string, feedback: ChatFeedback | null): Promise<void> {
    await this.onRate();
    this.rated.push([chatId, messageId, feedback]);
  }

  async suggestions(): Promise<readonly string[]> {
    if (this.suggested instanceof Error) throw this.suggested;
    return this.suggested;
  }
}

/** Sends the first frames of an answer to the message of a stream. */
export function sendStart(stream: FakeStream, ...pieces: readonly string[]): void {
  const { messageId = '', input = '' } = stream.ask;
  stream.send(cutoff(), echo(messageId, input), ...pieces.map(text => piece(`${messageId}.1`, text)));
}

/** Sends the last frames and ends the stream. */
export function sendEnd(stream: FakeStream, text: string, more: ChatFrame = { finishReason: 'stop' }): void {
  stream.send(whole(`${stream.ask.messageId}.1`, text, more), usage);
  stream.end();
}

/** Turns of a loaded thread. */
export function threadFrames(length: number, from = 1_750_000_000_000, step = 60_000): ChatFrame[] {
  return Array.from({ length }, (_, index) => {
    const id = `${from + index * step}-message`;
    return [echo(id, `Question ${index}`), whole(`${id}.1`, `Answer **${index}**.`, { finishReason: 'stop' })];
  }).flat();
}

/** Answers every read with this thread. */
export function answerWithThread(frames: readonly ChatFrame[], state: ChatFrame['state'] = { isStreaming: false }) {
  return (stream: FakeStream): void => {
    if (stream.ask.messageId !== undefined) return;
    stream.send(...frames, cutoff({ chatId: stream.ask.chatId ?? '', ...state }), usage);
    stream.end();
  };
}
