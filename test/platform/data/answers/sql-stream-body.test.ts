import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { streamBody } from '../../../../src/platform/data/answers/sql-stream-body.js';

const limits = { stallMs: 60_000, readMs: 300_000 };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Creates a body with these pieces after the first one; an error ends it. */
function start(rest: (string | Error)[]) {
  const [onEnd, close] = [vi.fn(), vi.fn()];
  const left = [...rest];
  const next = vi.fn(async () => {
    const piece = left.shift();
    if (piece instanceof Error) throw piece;
    return piece === undefined ? null : Buffer.from(piece);
  });
  const body = streamBody(Buffer.from('first '), { next, close }, limits, onEnd);
  return { body, reader: () => body.getReader(), onEnd, close, next };
}

describe('a streamed body', () => {
  it('contains all pieces in order', async () => {
    const { body, onEnd, close } = start(['second ', 'third']);
    expect(await new Response(body).text()).toBe('first second third');
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(true);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('requests pieces on demand', async () => {
    const { reader, next } = start(['second', 'third']);
    const lines = reader();
    await lines.read();
    expect(next).not.toHaveBeenCalled();
    await lines.read();
    expect(next).toHaveBeenCalledTimes(1);
  });

  it('fails with the error of its source', async () => {
    const { body, onEnd, close } = start([new Error('broken')]);
    await expect(new Response(body).text()).rejects.toThrow('broken');
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('ends if reading never starts', async () => {
    const { close, onEnd } = start([]);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(close).toHaveBeenCalledTimes(1);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
  });

  it('is not aborted while its source is slow', async () => {
    const { body, onEnd, close } = start([]);
    let finish = (_piece: Uint8Array | null) => {};
    const slow = streamBody(
      Buffer.from('first'),
      { next: () => new Promise(resolve => (finish = resolve)), close },
      limits,
      onEnd,
    );
    await body.cancel();
    onEnd.mockClear();
    const lines = slow.getReader();
    await lines.read();
    const second = lines.read();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(onEnd).not.toHaveBeenCalled();
    finish(null);
    expect((await second).done).toBe(true);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('is aborted if it takes too long in total', async () => {
    const { reader, onEnd, close } = start(Array.from({ length: 20 }, String));
    const lines = reader();
    const reading = async () => {
      for (;;) {
        await vi.advanceTimersByTimeAsync(30_000);
        if ((await lines.read()).done) return;
      }
    };
    await expect(reading()).rejects.toThrow('The client stopped reading the response.');
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('drops a piece that arrives after its reader has stopped', async () => {
    let finish = (_piece: Uint8Array | null) => {};
    const [onEnd, close] = [vi.fn(), vi.fn()];
    const source = { next: () => new Promise<Uint8Array | null>(resolve => (finish = resolve)), close };
    const lines = streamBody(Buffer.from('first'), source, limits, onEnd).getReader();
    await lines.read();
    const second = lines.read();
    await lines.cancel();
    finish(Buffer.from('late'));
    expect((await second).done).toBe(true);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
  });
});
