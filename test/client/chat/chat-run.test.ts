import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  joinTurn,
  newMessageId,
  type RunStatus,
  readThread,
  runTurn,
  type TurnAsk,
  type TurnRun,
} from '../../../src/client/chat/chat-run.js';
import type { ChatService } from '../../../src/client/chat/chat-service.js';
import type { Conversation } from '../../../src/client/chat/conversation.js';
import { openChat } from '../../../src/client/chat/open-chat.js';
import { StreamReducer } from '../../../src/client/chat/reduce.js';
import { PaAbortError, PaConnectionError, PaError } from '../../../src/client/errors.js';
import fc, { casesAtDepth, seed } from '../../property.js';
import { cutoff, echo, piece, turnFrames, usage, whole } from './fake-chat.js';
import { FakeChatServer, type Fate, type ReplayStyle } from './fake-chat-server.js';

const messageId = '1700000000000-message';
const input = 'How many flights?';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Advances timers until a promise has settled. */
async function settled<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const mark = (): void => {
    isSettled = true;
  };
  promise.then(mark, mark);
  for (let second = 0; second < 3600 && !isSettled; second += 1) await vi.advanceTimersByTimeAsync(1000);
  return promise;
}

function watch(reducer = new StreamReducer()) {
  const statuses: RunStatus[] = [];
  return {
    reducer,
    statuses,
    observer: {
      onOpen: reducer.open.bind(reducer),
      onFrames: reducer.push.bind(reducer),
      onStatus: (status: RunStatus) => {
        statuses.push(status);
      },
    },
  };
}

const service = (server: FakeChatServer): ChatService =>
  openChat({ proxyUrl: '/api/chat', account: 'local', fetch: server.fetch });

interface Scene {
  readonly wire: 'ndjson' | 'crlf' | 'sse';
  readonly style: ReplayStyle;
  readonly hasPast: boolean;
  readonly fates: readonly Fate[];
  readonly chunks: readonly number[];
}

async function play({ wire, style, hasPast, fates, chunks }: Scene) {
  const server = new FakeChatServer();
  Object.assign(server, { wire, style, chunks });
  if (hasPast) server.addThread('thread-1', [['1600000000000-message', 'Before?']]);
  const { reducer, observer } = watch();
  if (hasPast) await readThread(service(server), 'thread-1', observer);
  server.fates = [...fates];
  reducer.ask(messageId, { content: input, images: [] });
  const ask: TurnAsk = { chatId: hasPast ? 'thread-1' : null, messageId, input };
  const shown = new Set<string>();
  const onFrames: typeof observer.onFrames = frames => {
    observer.onFrames(frames);
    for (const part of reducer.conversation.turns.at(-1)?.parts ?? []) {
      if (part.type === 'text') shown.add(part.content).add(part.thinking);
    }
  };
  await settled(runTurn(service(server), ask, { ...observer, onFrames }).done);
  // Nothing is duplicated or missing.
  const texts = turnFrames(messageId, input).flatMap(({ content = '', thinking = '' }) => [content, thinking]);
  for (const text of shown) expect(texts.some(known => known.startsWith(text))).toBe(true);
  return { conversation: reducer.conversation, server };
}

const fate = fc.record({
  type: fc.constantFrom('refused', 'lost', 'cut', 'closed', 'suspended', 'busy'),
  at: fc.integer({ min: 0, max: 999 }),
  ahead: fc.integer({ min: 0, max: 1000 }),
}) satisfies fc.Arbitrary<Fate>;

describe('an answer', () => {
  // The cases are split into parts, so that no test takes long.
  it.each([0, 1, 2, 3])(
    'gives the same conversation wherever its connection is lost and however it is replayed (%i)',
    async part => {
      const whole = new Map<boolean, Conversation>();
      for (const hasPast of [true, false]) {
        const scene: Scene = { wire: 'sse', style: 'after', hasPast: false, fates: [], chunks: [37] };
        whole.set(hasPast, (await play({ ...scene, hasPast })).conversation);
      }
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('ndjson' as const, 'crlf' as const, 'sse' as const),
          fc.constantFrom('after' as const, 'before' as const, 'forgetful' as const),
          fc.boolean(),
          fc.array(fate, { maxLength: 4 }),
          fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
          async (wire, style, hasPast, drawn, chunks) => {
            // If a service sends no events, a clean end after a complete text ends the answer.
            const fates = drawn.map(one =>
              one.type === 'closed' && wire !== 'sse' ? { ...one, type: 'cut' as const } : one,
            );
            const { conversation, server } = await play({ wire, style, hasPast, fates, chunks });
            expect(conversation).toEqual(whole.get(hasPast));
            expect(server.threads.size).toBe(1);
          },
        ),
        { numRuns: casesAtDepth(100), seed: seed + part },
      );
    },
  );

  it('is sent once after the service has accepted it, and then resumed', async () => {
    const server = new FakeChatServer();
    server.fates = [
      { type: 'refused', at: 0, ahead: 0 },
      { type: 'cut', at: 500, ahead: 0 },
    ];
    const { observer, statuses } = watch();
    const images = [{ mimeType: 'image/png' as const, data: 'AAAA' }];
    await settled(runTurn(service(server), { chatId: null, messageId, input, images }, observer).done);
    expect(server.seen.map(({ ask }) => ask)).toEqual([
      { messageId, input, images },
      { messageId, input, images },
      { messageId, chatId: 'thread-1' },
    ]);
    expect(server.seen.map(({ headers }) => headers.get('last-event-id'))).toEqual([
      null,
      null,
      expect.stringMatching(/^1700000000000-message:\d+$/),
    ]);
    expect(statuses).toEqual([
      'connecting',
      'reconnecting',
      'reconnecting',
      'streaming',
      'reconnecting',
      'reconnecting',
      'streaming',
    ]);
  });

  it('is joined without sending the message', async () => {
    const server = new FakeChatServer();
    server.addThread('thread-1', [[messageId, input]]);
    const { observer, reducer } = watch();
    await settled(joinTurn(service(server), { chatId: 'thread-1', messageId }, observer).done);
    expect(server.seen.map(({ ask }) => ask)).toEqual([{ messageId, chatId: 'thread-1' }]);
    expect(reducer.conversation.turns).toMatchObject([{ id: messageId, end: 'stop', prompt: { content: input } }]);
  });
});

/** Returns a service whose stream is controlled by the test. */
function byHand(stream: ChatService['stream'], abort: ChatService['abort'] = async () => {}): ChatService {
  const none = () => Promise.reject(new PaError('not_found', 'none', { status: 404 }));
  return { stream, abort, threads: none, rename: none, remove: none, suggestions: none };
}

const ask: TurnAsk = { chatId: null, messageId, input };
const isLost = () => Promise.reject(new PaConnectionError('lost'));

describe('a run', () => {
  it('retries while there is no network, and finally gives up', async () => {
    const stream = vi.fn(isLost);
    const { observer, statuses } = watch();
    await expect(settled(runTurn(byHand(stream), ask, observer).done)).rejects.toBeInstanceOf(PaConnectionError);
    expect(stream.mock.calls.length).toBeGreaterThan(20);
    expect(statuses.at(-1)).toBe('offline');
  });

  it('retries immediately on wake', async () => {
    const stream = vi.fn(isLost);
    const { observer } = watch();
    const run = runTurn(byHand(stream), ask, observer);
    run.done.catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    const before = stream.mock.calls.length;
    run.wake();
    await vi.advanceTimersByTimeAsync(1);
    expect(stream.mock.calls.length).toBe(before + 1);
  });

  it('abandons only silent streams on wake', async () => {
    const stream = vi.fn<ChatService['stream']>((_ask, { onOpen, onFrame }) => {
      onOpen?.();
      onFrame(cutoff(), null);
      return new Promise(() => {});
    });
    const { observer } = watch();
    const run = runTurn(byHand(stream), ask, observer);
    await vi.advanceTimersByTimeAsync(10_000);
    run.wake();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stream).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(20_000);
    run.wake();
    await vi.advanceTimersByTimeAsync(1000);
    expect(stream).toHaveBeenCalledTimes(2);
  });

  it('does not abandon a recent request on wake', async () => {
    const stream = vi.fn<ChatService['stream']>(() => new Promise(() => {}));
    const { observer } = watch();
    const run = runTurn(byHand(stream), ask, observer);
    run.wake();
    await vi.advanceTimersByTimeAsync(1000);
    expect(stream).toHaveBeenCalledTimes(1);
  });

  it.each([400, 403, 404, 409])('does not retry after %i', async status => {
    const stream = vi.fn(() => Promise.reject(new PaError('no', 'no', { status })));
    const { observer } = watch();
    await expect(settled(runTurn(byHand(stream), ask, observer).done)).rejects.toMatchObject({ status });
    expect(stream).toHaveBeenCalledTimes(1);
  });

  it('waits as long as the service requests', async () => {
    const busy = new PaError('too_many', 'later', { status: 429, retryAfterMs: 7000 });
    const stream = vi.fn<ChatService['stream']>().mockRejectedValueOnce(busy).mockResolvedValueOnce();
    const { observer } = watch();
    const { done } = runTurn(byHand(stream), ask, observer);
    await vi.advanceTimersByTimeAsync(6900);
    expect(stream).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(200);
    await done;
    expect(stream).toHaveBeenCalledTimes(2);
  });

  it('does not honor excessive waits', async () => {
    const stream = vi.fn(() => Promise.reject(new PaError('no', 'no', { status: 429, retryAfterMs: 3_600_000 })));
    const { observer } = watch();
    await expect(settled(runTurn(byHand(stream), ask, observer).done)).rejects.toMatchObject({ status: 429 });
  });

  it('stops as suspended if the service stays suspended', async () => {
    const server = new FakeChatServer();
    server.fates = Array.from({ length: 200 }, () => ({ type: 'suspended', at: 400, ahead: 0 }) as const);
    const { observer, reducer, statuses } = watch();
    reducer.ask(messageId, { content: input, images: [] });
    await settled(runTurn(service(server), ask, observer).done);
    expect(statuses.at(-1)).toBe('suspended');
    expect(reducer.conversation).toMatchObject({ suspendedMessageId: messageId, turns: [{ end: 'suspended' }] });
    expect(server.seen.length).toBeLessThan(60);
  });

  it('stops reconnecting to a stream that is cut off repeatedly', async () => {
    const stream = vi.fn<ChatService['stream']>((_ask, { onOpen, onFrame }) => {
      onOpen?.();
      onFrame(cutoff(), null);
      return isLost();
    });
    const { observer } = watch();
    await settled(runTurn(byHand(stream), ask, observer).done.catch(() => {}));
    expect(stream.mock.calls.length).toBeLessThanOrEqual(500);
  });

  it('can be abandoned with its signal without stopping the answer', async () => {
    const controller = new AbortController();
    const abort = vi.fn(async () => {});
    const { observer } = watch();
    const run = runTurn(
      byHand(() => new Promise(() => {}), abort),
      ask,
      observer,
      controller.signal,
    );
    controller.abort();
    await expect(run.done).rejects.toMatchObject({ code: 'aborted' });
    expect(abort).not.toHaveBeenCalled();
  });

  it('emits nothing after it was abandoned', async () => {
    const controller = new AbortController();
    let late: (() => void) | undefined;
    const stream: ChatService['stream'] = (_ask, { onFrame }) => {
      late = () => onFrame(whole('t', 'late'), null);
      return new Promise(() => {});
    };
    const { observer, reducer } = watch();
    const run = runTurn(byHand(stream), ask, observer, controller.signal);
    controller.abort();
    await run.done.catch(() => {});
    late?.();
    expect(reducer.conversation.turns).toEqual([]);
  });
});

it('backs off from a service that repeatedly starts and fails', async () => {
  const stream = vi.fn<ChatService['stream']>(async (_ask, { onOpen, onFrame }) => {
    onOpen?.();
    onFrame(cutoff(), null);
    onFrame(echo(messageId, input), null);
    throw new PaConnectionError('lost');
  });
  const { observer, statuses } = watch();
  const end = new AbortController();
  const { done } = runTurn(byHand(stream), ask, observer, end.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(statuses).toContain('offline');
  expect(stream.mock.calls.length).toBeLessThan(15);
  end.abort();
  await expect(done).rejects.toBeInstanceOf(PaAbortError);
});

describe('stop', () => {
  const opened: { end: () => void; frame: (frame: ReturnType<typeof cutoff>) => void }[] = [];
  const stream: ChatService['stream'] = (_ask, { onOpen, onFrame }) =>
    new Promise(resolve => {
      onOpen?.();
      opened.push({ end: resolve, frame: frame => onFrame(frame, null) });
    });
  const started = (abort: ChatService['abort']): { run: TurnRun; reducer: StreamReducer } => {
    opened.length = 0;
    const { observer, reducer } = watch();
    reducer.ask(messageId, { content: input, images: [] });
    return { run: runTurn(byHand(stream, abort), ask, observer), reducer };
  };
  const sendFrames = (...frames: ReturnType<typeof cutoff>[]): void => {
    for (const frame of frames) opened.at(-1)?.frame(frame);
  };

  it('stops the run on the service, and the stream ends', async () => {
    const abort = vi.fn(async () => {
      sendFrames({ id: '__aborted__', type: 'abort' }, usage);
      opened.at(-1)?.end();
    });
    const { run, reducer } = started(abort);
    sendFrames(cutoff(), echo(messageId, input), piece('t', 'half'));
    await settled(run.stop());
    await run.done;
    expect(abort).toHaveBeenCalledWith('thread-1');
    expect(reducer.conversation.turns).toMatchObject([{ end: 'aborted', parts: [{ content: 'half' }] }]);
  });

  const half = piece('t', 'half');
  it.each([
    ['the stream ends before the service confirms the stop', [usage], []],
    ['the service confirms the stop before the stream ends', [], [usage]],
    ['the stream ends without a last frame', [], []],
  ])('ends as aborted if %s', async (_order, before, after) => {
    let confirm = (): void => {};
    const { run, reducer } = started(() => new Promise<void>(resolve => (confirm = resolve)));
    sendFrames(cutoff(), echo(messageId, input), half);
    const stopped = run.stop();
    await vi.advanceTimersByTimeAsync(1);
    sendFrames(...before);
    if (before.length > 0) opened.at(-1)?.end();
    confirm();
    await vi.advanceTimersByTimeAsync(1);
    sendFrames(...after);
    opened.at(-1)?.end();
    await settled(stopped);
    await run.done;
    expect(reducer.conversation.turns).toMatchObject([{ end: 'aborted', parts: [{ content: 'half' }] }]);
  });

  it('preserves an answer that the service completed in the meantime', async () => {
    const abort = async (): Promise<void> => {
      sendFrames({ ...whole('t', 'All.'), finishReason: 'stop' }, usage);
      opened.at(-1)?.end();
    };
    const { run, reducer } = started(abort);
    sendFrames(cutoff(), echo(messageId, input), half);
    await settled(run.stop());
    await run.done;
    expect(reducer.conversation.turns).toMatchObject([{ end: 'stop' }]);
  });

  it('waits for the id of a new thread', async () => {
    const abort = vi.fn(async () => {
      opened.at(-1)?.end();
    });
    const { run } = started(abort);
    const stopped = run.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(abort).not.toHaveBeenCalled();
    sendFrames(cutoff());
    await settled(stopped);
    expect(abort).toHaveBeenCalledWith('thread-1');
  });

  it('waits until the message of an existing thread is running', async () => {
    opened.length = 0;
    const abort = vi.fn(async () => {
      opened.at(-1)?.end();
    });
    const run = runTurn(byHand(stream, abort), { ...ask, chatId: 'thread-1' }, watch().observer);
    const stopped = run.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(abort).not.toHaveBeenCalled();
    sendFrames(cutoff());
    await settled(stopped);
    expect(abort).toHaveBeenCalledWith('thread-1');
  });

  it('does not send a message that is waiting for a retry', async () => {
    const lost = vi.fn<ChatService['stream']>(isLost);
    const abort = vi.fn(async () => {});
    const { observer, reducer } = watch();
    reducer.ask(messageId, { content: input, images: [] });
    const run = runTurn(byHand(lost, abort), { ...ask, chatId: 'thread-1' }, observer);
    await vi.advanceTimersByTimeAsync(1);
    expect(lost).toHaveBeenCalledOnce();
    await settled(run.stop());
    await settled(run.done);
    expect(lost).toHaveBeenCalledOnce();
    expect(abort).toHaveBeenCalledWith('thread-1');
    expect(reducer.conversation.turns).toMatchObject([{ end: 'aborted' }]);
  });

  it.each([
    ['whose stream does not end', [cutoff()]],
    ['without an id', []],
  ])('leaves an answer %s', async (_what, frames) => {
    const { run, reducer } = started(async () => {});
    sendFrames(...frames);
    await settled(run.stop());
    await run.done;
    expect(reducer.conversation.turns).toMatchObject([{ end: 'aborted' }]);
  });

  it('continues if the service cannot be reached', async () => {
    const { run, reducer } = started(isLost);
    sendFrames(cutoff());
    await expect(settled(run.stop())).rejects.toBeInstanceOf(PaConnectionError);
    sendFrames(whole('t', 'All.'), usage);
    opened.at(-1)?.end();
    await run.done;
    expect(reducer.conversation.turns).toMatchObject([{ end: 'stop' }]);
  });

  it('treats a thread without a run as stopped', async () => {
    const { run, reducer } = started(() => Promise.reject(new PaError('not_found', 'none', { status: 404 })));
    sendFrames(cutoff());
    await settled(run.stop());
    expect(reducer.conversation.turns).toMatchObject([{ end: 'aborted' }]);
  });

  it('does nothing after the end', async () => {
    const abort = vi.fn(async () => {});
    const { run, reducer } = started(abort);
    sendFrames(cutoff(), whole('t', 'All.'), usage);
    opened.at(-1)?.end();
    await run.done;
    await settled(run.stop());
    expect(abort).not.toHaveBeenCalled();
    expect(reducer.conversation.turns).toMatchObject([{ end: 'stop' }]);
  });
});

describe('readThread', () => {
  it('retries transient failures', async () => {
    const stream = vi.fn<ChatService['stream']>().mockImplementationOnce(isLost).mockResolvedValueOnce();
    const { observer, statuses } = watch();
    await settled(readThread(byHand(stream), 'thread-1', observer));
    expect(statuses).toEqual(['connecting', 'reconnecting']);
  });

  it('reports an error line instead of the thread as its error', async () => {
    const stream: ChatService['stream'] = async (_ask, { onFrame }) => onFrame({ error: 'No such thread.' }, null);
    await expect(settled(readThread(byHand(stream), 'thread-1', watch().observer))).rejects.toMatchObject({
      message: 'No such thread.',
    });
  });
});

describe('newMessageId', () => {
  it.each([
    ['the time', null, '1750000000000-message'],
    ['the time after an older message', '1700000000000-message', '1750000000000-message'],
    ['later than the last, if clocks differ', '1800000000000-message', '1800000000001-message'],
    ['later than one of the same millisecond', '1750000000000-message', '1750000000001-message'],
    ['the time after an invalid id', 'x', '1750000000000-message'],
    ['the time after an id beyond the safe integers', '99999999999999999999-message', '1750000000000-message'],
  ])('is %s', (_what, last, expected) => {
    vi.setSystemTime(1_750_000_000_000);
    expect(newMessageId(last)).toBe(expected);
  });
});
