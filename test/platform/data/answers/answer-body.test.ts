import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AnswerBodies, type AnswerBody } from '../../../../src/platform/data/answers/answer-body.js';

const limits = { maxBufferedBytes: 10, heldBytes: 100, stallMs: 1000 };
const rows = (bytes: number, caller = 'a') => ({ bytes, caller: () => caller });
const large = ['[1,2,3,4,5', ',6,7', ',8]'];

afterEach(() => {
  vi.useRealTimers();
});

function streamOf(body: AnswerBody): ReadableStream<Uint8Array> {
  if (!(body instanceof ReadableStream)) throw new Error('whole');
  return body;
}

describe('AnswerBody', () => {
  it('is complete immediately if it has few bytes', () => {
    const onEnd = vi.fn();
    const body = new AnswerBodies(limits).make(['[1,', Buffer.from('2'), ']'], rows(60), onEnd);
    expect(String(body)).toBe('[1,2]');
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('is produced on demand if it has many bytes', async () => {
    const onEnd = vi.fn();
    const produced: string[] = [];
    function* fragments() {
      for (const fragment of large) {
        produced.push(fragment);
        yield fragment;
      }
    }
    const body = streamOf(new AnswerBodies(limits).make(fragments(), rows(60), onEnd));
    expect(produced).toEqual(large.slice(0, 2));
    expect(await new Response(body).json()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('stops and releases its slot when the client cancels it', async () => {
    const bodies = new AnswerBodies(limits);
    const onEnd = vi.fn();
    const body = streamOf(bodies.make(large, rows(60), onEnd));
    expect(() => bodies.make(large, rows(60))).toThrow(expect.objectContaining({ status: 503 }));
    await body.cancel();
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
    expect(await new Response(bodies.make(large, rows(60))).json()).toHaveLength(8);
  });

  it('may exceed the total limit if it is the only one', async () => {
    const bodies = new AnswerBodies(limits);
    const body = streamOf(bodies.make(large, rows(1000)));
    expect(() => bodies.make(large, rows(1))).toThrow(expect.objectContaining({ status: 503 }));
    await body.cancel();
  });

  it('limits one caller, so that others are served', async () => {
    const bodies = new AnswerBodies(limits);
    const first = streamOf(bodies.make(large, rows(20)));
    expect(() => bodies.make(large, rows(20))).toThrow(expect.objectContaining({ status: 503 }));
    const other = streamOf(bodies.make(large, rows(20, 'b')));
    await Promise.all([first.cancel(), other.cancel()]);
    expect(await new Response(bodies.make(large, rows(20))).json()).toHaveLength(8);
  });

  it('is aborted if it is read too slowly', async () => {
    vi.useFakeTimers();
    const onEnd = vi.fn();
    const many = ['[0', ...Array.from({ length: 100 }, (_, index) => `,${index}23456789012`), ']'];
    const reader = streamOf(new AnswerBodies({ ...limits, readMs: 5000 }).make(many, rows(60), onEnd)).getReader();
    const drip = async () => {
      for (;;) {
        await vi.advanceTimersByTimeAsync(900);
        await reader.read();
      }
    };
    await expect(drip()).rejects.toThrow('stopped reading');
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
  });

  it('is aborted if it is no longer read', async () => {
    vi.useFakeTimers();
    const onEnd = vi.fn();
    const reader = streamOf(new AnswerBodies(limits).make([...large, ' '], rows(60), onEnd)).getReader();
    await reader.read();
    await vi.advanceTimersByTimeAsync(1000);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
    const error: unknown = await reader.read().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    // Servers log the error without a stack trace, which would contain no useful information.
    expect(inspect(error)).not.toContain('\n');
  });

  it('is aborted if reading never starts', async () => {
    vi.useFakeTimers();
    const onEnd = vi.fn();
    new AnswerBodies(limits).make(large, rows(60), onEnd);
    await vi.advanceTimersByTimeAsync(1000);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
  });

  it('ends with an error if producing it fails', async () => {
    const onEnd = vi.fn();
    function* failing() {
      yield* large;
      throw new Error('broken');
    }
    const body = new AnswerBodies(limits).make(failing(), rows(60), onEnd);
    await expect(new Response(body).text()).rejects.toThrow();
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
  });
});
