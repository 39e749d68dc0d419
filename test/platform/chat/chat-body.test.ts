import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ChatBodyOptions, chatBody, eventFormat, lineFormat } from '../../../src/platform/chat/chat-body.js';
import type { StreamFrame } from '../../../src/platform/chat/chat-service.js';
import { PlatformError } from '../../../src/platform/errors.js';

const messageId = '1700000000000-message';
const piece = (number: number, content = `piece ${number}`): StreamFrame => ({
  id: `${messageId}:${number}`,
  frame: { id: 'a', role: 'assistant', content, isDelta: true },
});
const usage: StreamFrame = { id: null, frame: { id: '__usage__', type: 'usage' } };

/** Frames that a test provides one at a time, and the state of their reader. */
class Source implements AsyncIterable<StreamFrame> {
  readonly #ready: StreamFrame[] = [];
  #wake = () => {};
  #end: 'no' | 'done' | Error = 'no';
  taken = 0;
  left = 0;

  give(...frames: StreamFrame[]): void {
    this.#ready.push(...frames);
    this.#wake();
  }

  end(how: 'done' | Error = 'done'): void {
    this.#end = how;
    this.#wake();
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamFrame> {
    return {
      next: async () => {
        while (this.#ready.length === 0) {
          if (this.#end === 'done') return { done: true, value: undefined };
          if (this.#end !== 'no') throw this.#end;
          await new Promise<void>(resolve => {
            this.#wake = resolve;
          });
        }
        this.taken += 1;
        return { done: false, value: this.#ready.shift() ?? usage };
      },
      return: async () => {
        this.left += 1;
        return { done: true, value: undefined };
      },
    };
  }
}

let source: Source;
const onFailure = vi.fn();
const onEnd = vi.fn();
const open = (options: Partial<ChatBodyOptions> = {}) =>
  chatBody(source, { format: lineFormat, onFailure, onEnd, ...options });
const text = (chunk: { value?: Uint8Array | undefined }) => new TextDecoder().decode(chunk.value);
const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
};

beforeEach(() => {
  // Use fake timers, so that heartbeats occur only when a test advances the time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  source = new Source();
  vi.clearAllMocks();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a stream body', () => {
  test('contains one JSON object per line', async () => {
    source.give(piece(1), piece(2, 'two\nlines'), usage);
    source.end();
    const lines = (await new Response(open()).text()).split('\n');
    expect(lines.map(line => line && JSON.parse(line))).toEqual([
      piece(1).frame,
      piece(2, 'two\nlines').frame,
      usage.frame,
      '',
    ]);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  test('as events contains the position of each frame that has one', async () => {
    source.give(piece(1, 'two\nlines'), usage);
    source.end();
    expect(await new Response(open({ format: eventFormat })).text()).toBe(
      `id: ${messageId}:1\ndata: ${JSON.stringify(piece(1, 'two\nlines').frame)}\n\n` +
        `data: ${JSON.stringify(usage.frame)}\n\n`,
    );
  });

  test('combines available frames into one chunk and sends a single frame immediately', async () => {
    const reader = open().getReader();
    source.give(...Array.from({ length: 200 }, (_, index) => piece(index)));
    expect(text(await reader.read()).split('\n')).toHaveLength(201);
    const next = reader.read();
    await turns();
    source.give(piece(7));
    expect(JSON.parse(text(await next))).toEqual(piece(7).frame);
  });

  test('reads frames only on demand, at most one chunk per read', async () => {
    const long = 'x'.repeat(1_000);
    source.give(...Array.from({ length: 1_000 }, (_, index) => piece(index, long)));
    const reader = open().getReader();
    await turns();
    expect(source.taken).toBe(0);
    const first = await reader.read();
    await turns();
    expect(first.value?.byteLength).toBeLessThan(70_000);
    expect(source.taken).toBeLessThan(70);
    await reader.cancel();
    expect(source.left).toBe(1);
  });

  test.each([
    ['lines', lineFormat, '\n'],
    ['events', eventFormat, ':\n\n'],
  ])('as %s sends a heartbeat every 10 seconds without losing a frame', async (_, format, heartbeat) => {
    const reader = open({ format }).getReader();
    for (let beat = 0; beat < 3; beat++) {
      const read = reader.read();
      await vi.advanceTimersByTimeAsync(9_999);
      const early = await Promise.race([read, turns()]);
      expect(early).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      expect(text(await read)).toBe(heartbeat);
    }
    const read = reader.read();
    source.give(piece(1));
    expect(text(await read)).toBe(format.write(piece(1)));
    expect(source.taken).toBe(1);
    await reader.cancel();
  });

  test('closes if the client reads nothing for a minute', async () => {
    const reader = open().getReader();
    source.give(piece(1));
    await reader.read();
    source.give(piece(2), piece(3));
    await vi.advanceTimersByTimeAsync(59_999);
    expect(source.left).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(source.left).toBe(1);
    expect(onEnd).toHaveBeenCalledOnce();
    await expect(reader.read()).rejects.toThrow('The client stopped reading the chat stream.');
    // The second frame was requested while the first one was read.
    expect(source.taken).toBe(2);
  });

  test('closes if the client never reads', async () => {
    open();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(source).toMatchObject({ taken: 0, left: 1 });
  });

  test('leaves no timers running', async () => {
    source.give(piece(1));
    source.end();
    await new Response(open()).text();
    source = new Source();
    const waiting = open().getReader();
    const read = waiting.read();
    await waiting.cancel();
    await read;
    source.give(piece(1));
    await expect.poll(() => vi.getTimerCount()).toBe(0);
  });

  test('closes the source when the client disconnects, even while waiting for a frame', async () => {
    const reader = open().getReader();
    const read = reader.read();
    await turns();
    await reader.cancel();
    expect(await read).toEqual({ done: true, value: undefined });
    expect(source.left).toBe(1);
    expect(onEnd).toHaveBeenCalledOnce();
    source.give(piece(1));
    await turns();
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('reports an internal error without details, followed by usage', async () => {
    source.give(piece(1));
    source.end(new Error('secret of a row'));
    const lines = (await new Response(open()).text()).trim().split('\n');
    expect(lines.map(line => JSON.parse(line))).toEqual([
      piece(1).frame,
      { error: 'Internal error.' },
      { id: '__usage__', type: 'usage', usage: expect.objectContaining({ totalTokens: 0, models: [] }) },
    ]);
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'secret of a row' }));
  });

  test('reports a client error with its message once, and then usage once', async () => {
    source.end(new PlatformError(404, 'There is no such thread any more.'));
    const lines = (await new Response(open()).text()).trim().split('\n');
    expect(lines.map(line => JSON.parse(line))).toEqual([
      { error: 'There is no such thread any more.' },
      expect.objectContaining({ id: '__usage__' }),
    ]);
    expect(onFailure).not.toHaveBeenCalled();
    source = new Source();
    source.give(usage);
    source.end(new Error('too late'));
    expect((await new Response(open()).text()).match(/__usage__/g)).toHaveLength(1);
  });
});
