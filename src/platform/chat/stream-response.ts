import type { Context } from 'hono';
import { PlatformError } from '../errors.js';
import type { RequestIdEnv } from '../http/request-id.js';
import { StreamLimit } from '../runtime/stream-limit.js';
import { chatBody, type FrameFormat } from './chat-body.js';
import type { ChatCaller, StreamFrame } from './chat-service.js';

/**
 * Responds with a stream; 204 if there is none.
 * @param open - opens the stream. Its errors become an error response.
 */
export type RespondWithStream = (
  context: Context<RequestIdEnv>,
  caller: ChatCaller,
  format: FrameFormat,
  open: () => Promise<AsyncIterable<StreamFrame> | null>,
) => Promise<Response>;

/** Proxies must neither cache nor transform nor buffer the stream. */
const streamHeaders = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const;

/**
 * Creates the function that responds with streams, and limits the number of open streams.
 * @param onFailure - called with errors of a stream that has begun, unless the caller caused them.
 */
export function createStreamResponder(onFailure: (error: unknown, requestId: string) => void): RespondWithStream {
  // Limited because each stream has its own connection and buffer, even if several share a run.
  const streams = new StreamLimit({ all: 2_000, own: 30, refusal: tooManyStreams });
  return async (context, caller, format, open) => {
    const onEnd = streams.enter(caller.ownerKey);
    const frames = await open().catch((error: unknown) => {
      onEnd();
      throw error;
    });
    if (!frames) {
      onEnd();
      return context.body(null, 204);
    }
    const requestId = context.get('requestId');
    const stream = chatBody(frames, { format, onEnd, onFailure: error => onFailure(error, requestId) });
    const { contentType, headers } = format;
    return context.body(stream, 200, { 'content-type': contentType, ...streamHeaders, ...headers });
  };
}

function tooManyStreams(): PlatformError {
  return new PlatformError(429, 'You have too many open chat streams. Close one, or try again in a moment.');
}
