import type { IncomingMessage } from 'node:http';
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
