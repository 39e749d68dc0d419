import type { IncomingMessage } from 'node:http';
import { unreadProblem } from '../data/answer-body.js';
import { brokenProblem, UpstreamProblem } from './upstream-problem.js';

/** The body of an answer, as it comes. */
export interface AnswerChunks {
  /** Throws UpstreamProblem where the cluster breaks off or falls silent, and whatever `stop` was given. */
  next(): Promise<IteratorResult<Uint8Array, undefined>>;
  /** Ends the connection, where the answer isn't over. */
  stop(reason?: Error): void;
}

/** @param silenceMs - how long nothing may come while somebody waits for it, in milliseconds. */
export function chunksOf(response: IncomingMessage, silenceMs: number): AnswerChunks {
  const chunks: AsyncIterator<Uint8Array, undefined> = response[Symbol.asyncIterator]();
  const giveUp = () => response.destroy(new UpstreamProblem('slow', 'fell silent in the middle of an answer.'));
  return {
    async next() {
      const timer = setTimeout(giveUp, silenceMs);
      try {
        return await chunks.next();
      } catch (error) {
        throw brokenProblem(response.errored ?? error);
      } finally {
        clearTimeout(timer);
      }
    },
    stop: reason => void response.destroy(reason),
  };
}

/** The beginning of an answer. */
export interface AnswerHead {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Nothing comes after it. */
  readonly isWhole: boolean;
}

/**
 * Reads until there are `most` bytes, or what has come is enough.
 * @param isEnough - whether what has come tells all that has to be known before the rest is passed on.
 */
export async function readHead(
  chunks: AnswerChunks,
  most: number,
  isEnough: (bytes: Buffer) => boolean,
): Promise<AnswerHead> {
  let bytes = Buffer.alloc(0);
  while (bytes.length <= most && !isEnough(bytes)) {
    const { done, value } = await chunks.next();
    if (done) return { bytes, isWhole: true };
    bytes = Buffer.concat([bytes, value]);
  }
  return { bytes, isWhole: false };
}

/** How a body is passed on. */
export interface PassOptions {
  /** How long nobody may read, in milliseconds. */
  readonly stallMs: number;
  /** Hears once how it ended: null where it was read to its end. */
  readonly onEnd: (problem: unknown) => void;
}

/** A body as it is passed on: no more is taken in than is read, and it ends as it came to an end, or by an error. */
export function streamOf(
  head: Uint8Array,
  chunks: AnswerChunks,
  { stallMs, onEnd }: PassOptions,
): ReadableStream<Uint8Array> {
  let first: Uint8Array | null = head;
  let stalled: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (problem: unknown) => {
    clearTimeout(stalled);
    if (isOver) return;
    isOver = true;
    chunks.stop();
    onEnd(problem);
  };
  const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const giveUp = () => {
      const problem = unreadProblem();
      controller.error(problem);
      end(problem);
    };
    stalled = setTimeout(giveUp, stallMs).unref();
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    clearTimeout(stalled);
    const value = first ?? (await chunks.next()).value;
    first = null;
    if (isOver) return;
    if (value) {
      controller.enqueue(value);
      watch(controller);
    } else {
      controller.close();
      end(null);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      start: watch,
      pull: controller =>
        pull(controller).catch((error: unknown) => {
          end(error);
          throw error;
        }),
      cancel: () => end(unreadProblem()),
    },
    { highWaterMark: 0 },
  );
}
