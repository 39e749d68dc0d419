import type { ChatFeedback, ChatFrame, ChatImage, ChatUsage, ToolCall } from '../../contract/chat.js';
import { imageTypes } from '../../contract/chat-limits.js';
import { FinishReason } from '../../contract/chat-terms.js';
import { errorOf, PaAuthenticationError, PaError, PaErrorCode } from '../errors.js';
import { isRecord, redact } from '../http/fetch.js';

type Fields = Readonly<Record<string, unknown>>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** JSON-RPC error code for rejected credentials. */
const unauthorizedRpc = -32_001;
const refusal = /\b(unauthori[sz]ed|unauthenticated|invalid token|token (has )?expired|jwt expired)\b/i;
const maxModels = 100;

/**
 * Reads one frame of a stream; returns `null` if the value is not an object. Drops fields of the wrong type and fields
 * that `ChatFrame` does not declare.
 * @throws {PaError} if the line is an error of the service instead of a frame (an object under `error`, as in
 * JSON-RPC).
 */
export function readFrame(line: unknown): ChatFrame | null {
  if (!isRecord(line)) return null;
  if (isRecord(line.error)) throw errorIn(line.error);
  const frame: Mutable<ChatFrame> = {};
  readTexts(frame, line);
  readMarks(frame, line);
  if (line.role === 'user' || line.role === 'assistant') frame.role = line.role;
  if (isTexts(line.graphPath)) frame.graphPath = line.graphPath;
  const call = readToolCall(line.toolCall);
  if (call) frame.toolCall = call;
  const state = readState(line.state);
  if (state) frame.state = state;
  const usage = readUsage(line.usage);
  if (usage) frame.usage = usage;
  const images = readImages(line.images);
  if (images) frame.images = images;
  const feedback = readFeedback(line.feedback);
  if (feedback) frame.feedback = feedback;
  return frame;
}

function readTexts(frame: Mutable<ChatFrame>, line: Fields): void {
  for (const name of ['id', 'content', 'thinking', 'code', 'messageId', 'createdAt'] as const) {
    const value = line[name];
    if (typeof value === 'string') frame[name] = value;
  }
  if (typeof line.error === 'string') frame.error = redact(line.error);
}

function readMarks(frame: Mutable<ChatFrame>, line: Fields): void {
  for (const name of ['isDelta', 'isInProcess', 'retryable'] as const) {
    const value = line[name];
    if (typeof value === 'boolean') frame[name] = value;
  }
  if (typeof line.sort === 'number') frame.sort = line.sort;
  const { type } = line;
  if (type === 'abort' || type === 'suspend' || type === 'usage') frame.type = type;
  const reason = Object.values(FinishReason).find(known => known === line.finishReason);
  if (reason) frame.finishReason = reason;
}

function readToolCall(call: unknown): ToolCall | null {
  if (!isRecord(call) || typeof call.name !== 'string') return null;
  const { name, input, result } = call;
  return {
    name,
    ...(typeof input === 'string' ? { input } : {}),
    ...(typeof result === 'string' ? { result } : {}),
  };
}

function readState(state: unknown): ChatFrame['state'] | null {
  if (!isRecord(state)) return null;
  const { chatId, isStreaming, suspended } = state;
  const messageId = isRecord(suspended) ? suspended.messageId : null;
  return {
    ...(typeof chatId === 'string' ? { chatId } : {}),
    ...(typeof isStreaming === 'boolean' ? { isStreaming } : {}),
    ...(typeof messageId === 'string' ? { suspended: { messageId } } : {}),
  };
}

function readUsage(usage: unknown): ChatUsage | null {
  if (!isRecord(usage)) return null;
  const count = (name: keyof ChatUsage): number => {
    const value = usage[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : 0;
  };
  return {
    models: isTexts(usage.models) ? usage.models.slice(0, maxModels) : [],
    llmCalls: count('llmCalls'),
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    cacheWriteTokens: count('cacheWriteTokens'),
    cacheReadTokens: count('cacheReadTokens'),
    totalTokens: count('totalTokens'),
  };
}

/**
 * Returns the images whose types a page may show. The list comes from the service, so the limit for images of a message
 * does not apply.
 */
function readImages(images: unknown): ChatImage[] | null {
  if (!Array.isArray(images)) return null;
  return images.flatMap(image => {
    if (!isRecord(image) || typeof image.data !== 'string') return [];
    const mimeType = imageTypes.find(known => known === image.mimeType);
    if (!mimeType || !/^[A-Za-z0-9+/]*={0,2}$/.test(image.data)) return [];
    return [{ mimeType, data: image.data, ...(typeof image.name === 'string' ? { name: image.name } : {}) }];
  });
}

function readFeedback(feedback: unknown): ChatFeedback | null {
  if (!isRecord(feedback)) return null;
  const { rating, comment } = feedback;
  if (rating !== 'up' && rating !== 'down') return null;
  return { rating, ...(typeof comment === 'string' ? { comment } : {}) };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}

/** Converts an error that was sent with status 200. */
function errorIn(error: Fields): PaError {
  const message =
    typeof error.message === 'string'
      ? redact(error.message)
      : 'The chat service returned an error without a message. Try again.';
  const number = Number(error.code ?? error.status ?? error.statusCode);
  if (number === 401 || number === unauthorizedRpc || refusal.test(message)) {
    return new PaAuthenticationError(message, { status: 401 });
  }
  const status = number >= 400 && number <= 599 ? number : null;
  return status === null ? new PaError(PaErrorCode.serverFailed, message) : errorOf(message, { status });
}
