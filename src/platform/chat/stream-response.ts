import type { Context } from 'hono';
import { FrameId } from '../../contract/chat.js';
import { PlatformError } from '../errors.js';
import type { RequestIdEnv } from '../http/request-id.js';
import { StreamLimit } from '../runtime/stream-limit.js';
import { chatBody, type FrameFormat } from './chat-body.js';
import type { ChatCaller, ChatService, StreamFrame } from './chat-service.js';

/** A request for a stream. Errors of `findCaller` and `open` become an error response. */
export interface StreamRequest {
  readonly format: FrameFormat;
  /** Determines the caller and checks its access. */
  readonly findCaller: () => Promise<ChatCaller>;
  /** Opens the stream; `null` if there is none. */
  readonly open: (caller: ChatCaller) => Promise<AsyncIterable<StreamFrame> | null>;
}

/** Responds with a stream; 204 if there is none. */
export type RespondWithStream = (context: Context<RequestIdEnv>, request: StreamRequest) => Promise<Response>;

/** Dependencies of `createStreamResponder`. */
export interface StreamResponderOptions {
  /** Runs a task before agents start, so that the start of a stream does not wait for the answers of other streams. */
  readonly accept: ChatService['accept'];
  /** Called with errors of a stream that has begun, unless the caller caused them. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Proxies must neither cache nor transform nor buffer the stream. */
const streamHeaders = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const;

/** Creates the function that responds with streams, and limits the number of open streams. */
export function createStreamResponder({ accept, onFailure }: StreamResponderOptions): RespondWithStream {
  // Streams are limited, because each one has a separate connection and buffer, even if several share a run.
  const streams = new StreamLimit({ all: 2_000, own: 30, refusal: tooManyStreams });
  return async (context, { format, findCaller, open }) => {
    const { frames, branchName, onEnd } = await accept(async () => {
      const caller = await findCaller();
      const leave = streams.enter(caller.ownerKey);
      const opened = await open(caller).catch((error: unknown) => {
        leave();
        throw error;
      });
      return { frames: opened, branchName: caller.branchName, onEnd: leave };
    });
    if (!frames) {
      onEnd();
      return context.body(null, 204);
    }
    const requestId = context.get('requestId');
    if (branchName !== undefined) context.header('x-branch-name', branchName);
    const named = branchName === undefined ? frames : withBranch(frames, branchName);
    const stream = chatBody(named, { format, onEnd, onFailure: error => onFailure(error, requestId) });
    const { contentType, headers } = format;
    return context.body(stream, 200, { 'content-type': contentType, ...streamHeaders, ...headers });
  };
}

/** Adds the branch to the frames that precede the content. */
async function* withBranch(frames: AsyncIterable<StreamFrame>, branchName: string): AsyncGenerator<StreamFrame, void> {
  for await (const { id, frame } of frames) {
    yield frame.id === FrameId.cutoff
      ? { id, frame: { ...frame, state: { ...frame.state, branchName } } }
      : { id, frame };
  }
}

function tooManyStreams(): PlatformError {
  return new PlatformError(429, 'You have too many open chat streams. Close one, or try again in a moment.');
}
