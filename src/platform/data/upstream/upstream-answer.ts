import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { PlatformError } from '../../errors.js';
import { ContinueWait, Stage } from '../answers/continue-wait.js';
import { type BodySource, errorLine } from '../answers/sql-stream-body.js';
import { brokenProblem, problemOfStatus, UpstreamProblem } from './upstream-problem.js';

/** The chunks of a response body. */
export interface AnswerChunks {
  /**
   * Returns the next chunk.
   * @throws UpstreamProblem if the cluster closes the connection or stops sending, or the reason passed to `stop`.
   */
  next(): Promise<IteratorResult<Uint8Array, undefined>>;
  /** Closes the connection unless the response is complete. */
  stop(reason?: Error): void;
}

/**
 * Returns the chunks of a response.
 * @param silenceMs - maximum wait for a chunk in milliseconds.
 */
export function chunksOf(response: IncomingMessage, silenceMs: number): AnswerChunks {
  const chunks: AsyncIterator<Uint8Array, undefined> = response[Symbol.asyncIterator]();
  const onTimeout = () => response.destroy(new UpstreamProblem('slow', 'stopped sending in the middle of a response.'));
  return {
    async next() {
      const timer = setTimeout(onTimeout, silenceMs);
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

/** The first bytes of a response, used to classify it. */
export interface AnswerHead {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether this is the complete response. */
  readonly isWhole: boolean;
}

/**
 * Reads until there are more than `maxBytes` bytes or `isEnough` returns true.
 * @param isEnough - whether the bytes are sufficient to classify the response.
 */
async function readHead(
  chunks: AnswerChunks,
  maxBytes: number,
  isEnough: (bytes: Buffer) => boolean,
): Promise<AnswerHead> {
  let bytes = Buffer.alloc(0);
  while (bytes.length <= maxBytes && !isEnough(bytes)) {
    const { done, value } = await chunks.next();
    if (done) return { bytes, isWhole: true };
    bytes = Buffer.concat([bytes, value]);
  }
  return { bytes, isWhole: false };
}

/**
 * Maximum number of bytes that are read from an error response, and maximum length of the message that is passed on.
 */
const maxRefusalBytes = 64 * 1024;
const maxMessage = 500;
/** Statuses of client errors that are passed on; all others become 400. */
const forwardedStatuses: ReadonlySet<number> = new Set([404, 405, 408, 413, 414, 415, 422]);

/**
 * Returns the error for a response other than 200.
 * @param body - the first part of the body; only its message is passed on.
 */
function refusalOf(status: number, body: string): PlatformError {
  const problem = problemOfStatus(status);
  if (problem) return problem;
  const message = messageOf(body);
  if (message === null && (status === 404 || status === 405)) {
    return new UpstreamProblem('unfit', `has no Data API at this address (${status}). Check its base path.`);
  }
  return new PlatformError(
    forwardedStatuses.has(status) ? status : 400,
    message ?? 'The data service rejected the request.',
  );
}

/** Returns the message of an error body: `error` from a cluster, `message` from a gateway; `null` for anything else. */
function messageOf(body: string): string | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    // Ignore the error, because the body is probably the HTML page of a gateway.
    return null;
  }
  const { error, message } = Object(parsed);
  const text = [error, message].find(value => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? plainMessage(text) : null;
}

/**
 * Returns a message as one line of limited length, without stack traces and without anything that looks like a token.
 */
export function plainMessage(text: string): string {
  return text
    .slice(0, 4 * maxMessage)
    .replace(/\s+at \S[^\n]*:\d+:\d+\)?[\s\S]*$/, '')
    .replaceAll(/\beyJ[\w-]+(\.[\w-]*){0,2}/g, '…')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxMessage);
}

/** Maximum size of a `Continue wait` response in bytes, and maximum length of its `stage`. */
const maxNoticeBytes = 4096;
const maxStage = 100;
const jsonType = /^application\/(json|jsonl|ndjson|x-ndjson)\b/i;

/**
 * Reads as much of a response as is needed to classify it.
 * @throws PlatformError for an error response, ContinueWait for `Continue wait`.
 */
export async function readAnswer(
  { statusCode = 0, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>,
  chunks: AnswerChunks,
): Promise<AnswerHead> {
  if (statusCode !== 200) {
    const isRefusal = statusCode >= 400 && statusCode < 500;
    const { bytes } = await readHead(chunks, maxRefusalBytes, () => !isRefusal);
    throw refusalOf(statusCode, bytes.toString());
  }
  checkHeaders(headers);
  const isShort = Number(headers['content-length']) <= maxNoticeBytes;
  const head = await readHead(chunks, maxNoticeBytes, bytes => bytes.length > 0 && !isShort && !mayBeNotice(bytes));
  if (head.isWhole) throwIfWaiting(head.bytes.toString());
  return head;
}

/** Throws unless a response is uncompressed JSON whose end can be detected. */
function checkHeaders(headers: IncomingHttpHeaders): void {
  if (!jsonType.test(headers['content-type'] ?? '')) {
    throw new UpstreamProblem('unfit', 'returned a response that is not JSON. Check its base path.');
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new UpstreamProblem('unfit', 'compressed a response although the request disallows it.');
  }
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    throw new UpstreamProblem(
      'unfit',
      'returned a response without content-length or transfer-encoding (as in HTTP/1.0).',
    );
  }
}

const noticeStarts = ['{"error":', '{"stage":', '{"timeElapsed":'];

/** Whether the bytes can be the start of `{"error": …}`, possibly preceded by its other keys. */
function mayBeNotice(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').replaceAll(/\s/g, '');
  return noticeStarts.some(start => start.startsWith(text.slice(0, start.length)));
}

function throwIfWaiting(text: string): void {
  if (text.length > maxNoticeBytes || !text.includes('Continue wait')) return;
  const { error, stage, timeElapsed } = read(text);
  if (error !== 'Continue wait') return;
  throw new ContinueWait(
    typeof stage === 'string' ? stage.slice(0, maxStage) : Stage.running,
    typeof timeElapsed === 'number' ? timeElapsed : 0,
  );
}

function read(text: string): { readonly error?: unknown; readonly stage?: unknown; readonly timeElapsed?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    // Lines of JSON are not a single JSON value.
    return {};
  }
}

const newline = 10;

/**
 * Wraps the rest of a response of lines. If it ends early between two lines, an error line is appended, as for SQL that
 * this platform runs. If it ends within a line, the stream fails.
 * @param first - the bytes that were already passed on.
 */
export function withErrorLine(first: Uint8Array, rest: BodySource): BodySource {
  let last = first.at(-1);
  let isOver = false;
  return {
    async next() {
      if (isOver) return null;
      try {
        const piece = await rest.next();
        last = piece?.at(-1) ?? last;
        return piece;
      } catch (error) {
        if (!(error instanceof UpstreamProblem) || last !== newline) throw error;
        isOver = true;
        return errorLine(error);
      }
    },
    close: () => rest.close(),
  };
}
