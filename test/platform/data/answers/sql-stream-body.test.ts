import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { streamBody } from '../../../../src/platform/data/answers/sql-stream-body.js';

const limits = { stallMs: 60_000, readMs: 300_000 };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A body of these pieces after the first; an error breaks it off. */
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

describe('a body whose pieces are made as they are read', () => {
  it('has all of them, in order', async () => {
    const { body, onEnd, close } = start(['second ', 'third']);
    expect(await new Response(body).text()).toBe('first second third');
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(true);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('makes none before it is asked for', async () => {
    const { reader, next } = start(['second', 'third']);
    const lines = reader();
    await lines.read();
    expect(next).not.toHaveBeenCalled();
    await lines.read();
    expect(next).toHaveBeenCalledTimes(1);
  });

  it('breaks off with what its source throws', async () => {
    const { body, onEnd, close } = start([new Error('broken')]);
    await expect(new Response(body).text()).rejects.toThrow('broken');
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('ends when nobody begins to read it', async () => {
    const { close, onEnd } = start([]);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(close).toHaveBeenCalledTimes(1);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
  });

  it('is not given up while its source takes its time', async () => {
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

  it('is given up when all of it takes too long', async () => {
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

  it('drops a piece that comes when its reader has left', async () => {
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
