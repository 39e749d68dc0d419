import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { PlatformError } from '../../errors.js';
import { ContinueWait, Stage } from '../answers/continue-wait.js';
import { type BodySource, errorLine } from '../answers/sql-stream-body.js';
import { brokenProblem, problemOfStatus, UpstreamProblem } from './upstream-problem.js';

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
async function readHead(chunks: AnswerChunks, most: number, isEnough: (bytes: Buffer) => boolean): Promise<AnswerHead> {
  let bytes = Buffer.alloc(0);
  while (bytes.length <= most && !isEnough(bytes)) {
    const { done, value } = await chunks.next();
    if (done) return { bytes, isWhole: true };
    bytes = Buffer.concat([bytes, value]);
  }
  return { bytes, isWhole: false };
}

/** Most bytes that are read of a refusal, and most characters that are told of it. */
const maxRefusalBytes = 64 * 1024;
const maxMessage = 500;
/** The caller's own doing, as far as the caller can tell them apart; others are told as 400. */
const forwardedStatuses: ReadonlySet<number> = new Set([404, 405, 408, 413, 414, 415, 422]);

/**
 * What a caller is told of an answer other than 200.
 * @param body - its beginning, of which nothing is told but the message.
 */
function refusalOf(status: number, body: string): PlatformError {
  const problem = problemOfStatus(status);
  if (problem) return problem;
  const message = messageOf(body);
  if (message === null && (status === 404 || status === 405)) {
    return new UpstreamProblem('unfit', `has no Data API at this address (${status}): look at its base path.`);
  }
  return new PlatformError(
    forwardedStatuses.has(status) ? status : 400,
    message ?? 'The data service refused the request.',
  );
}

/** A cluster says `error`, an edge before it `message`; null for what is neither. */
function messageOf(body: string): string | null {
  let said: unknown;
  try {
    said = JSON.parse(body);
  } catch {
    // The page of something that stands before the cluster.
    return null;
  }
  const { error, message } = Object(said);
  const text = [error, message].find(value => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? plainMessage(text) : null;
}

/** One line of text of bounded length, without the places in code that some servers add, and without anything that looks like a token. */
export function plainMessage(text: string): string {
  return text
    .slice(0, 4 * maxMessage)
    .replace(/\s+at \S[^\n]*:\d+:\d+\)?[\s\S]*$/, '')
    .replaceAll(/\beyJ[\w-]+(\.[\w-]*){0,2}/g, '…')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxMessage);
}

/** Longest answer that may say `Continue wait`, and most characters of what it says is going on. */
const maxNoticeBytes = 4096;
const maxStage = 100;
const jsonType = /^application\/(json|jsonl|ndjson|x-ndjson)\b/i;

/**
 * Reads the beginning of an answer, as far as it takes to say what the answer is.
 * @throws PlatformError for what is no answer, ContinueWait for what is none yet.
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

/** An answer is JSON, as it was asked for, and comes in a way that tells its end. */
function checkHeaders(headers: IncomingHttpHeaders): void {
  if (!jsonType.test(headers['content-type'] ?? '')) {
    throw new UpstreamProblem('unfit', 'answers with something other than JSON: look at its base path.');
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new UpstreamProblem('unfit', 'compresses its answers, which it was asked not to do.');
  }
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    throw new UpstreamProblem('unfit', 'answers without telling where an answer ends (as in HTTP/1.0).');
  }
}

const noticeStarts = ['{"error":', '{"stage":', '{"timeElapsed":'];

/** Whether this can be the beginning of `{"error": …}`, with what may stand before. */
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
    // Lines of JSON.
    return {};
  }
}

const newline = 10;

/**
 * The rest of an answer of lines. Where it breaks off between two of them the last line tells so, as where SQL is answered from here;
 * within a line it breaks off as it is.
 * @param first - what was passed on already.
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
