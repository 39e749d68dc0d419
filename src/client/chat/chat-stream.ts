import type { ChatFrame } from '../../contract/chat.js';
import { chatPath, FrameId } from '../../contract/chat-terms.js';
import { fillPath, serviceUrl } from '../address.js';
import { withDeadline } from '../deadline.js';
import { PaError, PaErrorCode } from '../errors.js';
import { fetchOrFail, readText } from '../fetch-text.js';
import { defaultTimeoutMs, failureOf } from '../request.js';
import type { ChatDoor } from './chat-door.js';
import type { StreamAsk, StreamOptions } from './chat-service.js';
import { readFrames } from './frames.js';

const path = `${chatPath}/stream-chat-state`;

/** Opens one stream and reads it to its end. Every answer ends with `__usage__`, without figures where the service sent none. */
export async function readStream(door: ChatDoor, ask: StreamAsk, options: StreamOptions): Promise<void> {
  const life = new AbortController();
  const leave = (): void => life.abort();
  options.signal?.addEventListener('abort', leave, { once: true });
  try {
    const response = await open(door, ask, options.signal, life.signal);
    options.onOpen?.();
    const isReading = ask.messageId === undefined && ask.input === undefined;
    const onFrame = (frame: ChatFrame, eventId: string | null): void => {
      checkThread(frame, ask.chatId);
      options.onFrame(door.dialect ? door.dialect.read(path, frame) : frame, eventId);
    };
    const { sawUsage } = await readFrames(response, { onFrame, signal: options.signal, isReading });
    if (!sawUsage && !isReading) options.onFrame({ id: FrameId.usage, type: 'usage' }, null);
  } finally {
    options.signal?.removeEventListener('abort', leave);
    life.abort();
  }
}

/** The time limit ends with the head of the answer: an answer takes as long as it takes. */
function open(door: ChatDoor, ask: StreamAsk, signal: AbortSignal | undefined, life: AbortSignal): Promise<Response> {
  const { authorization } = door;
  const url = serviceUrl(door.baseUrl, fillPath(path, { ...door.place }));
  const what = `POST ${url.host}${path}`;
  const init: RequestInit = {
    method: 'POST',
    headers: {
      accept: 'text/event-stream, application/json;q=0.9',
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
      ...(ask.lastEventId === undefined ? {} : { 'last-event-id': ask.lastEventId }),
    },
    body: JSON.stringify({ chatId: ask.chatId, messageId: ask.messageId, input: ask.input, images: ask.images }),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: life,
  };
  const limits = { timeoutMs: defaultTimeoutMs, signals: [signal], what };
  return withDeadline(limits, async () => {
    const response = await fetchOrFail(door.fetch, url.href, init, what);
    if (response.ok) return response;
    throw failureOf(response, await readText(response, what), { api: 'chat', what, authorization });
  });
}

/** What another thread holds must not be shown in this one. */
function checkThread({ id, state }: ChatFrame, asked: string | undefined): void {
  if (id !== FrameId.cutoff || asked === undefined || state?.chatId === undefined || state.chatId === asked) return;
  throw new PaError(PaErrorCode.invalidResponse, 'The chat service answered with another thread than was asked for.');
}
