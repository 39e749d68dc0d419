import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ContinueWait, Stage } from '../data/continue-wait.js';
import { type AnswerChunks, type AnswerHead, readHead } from './answer-chunks.js';
import { maxRefusalBytes, refusalOf } from './refusal.js';
import { UpstreamProblem } from './upstream-problem.js';

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
