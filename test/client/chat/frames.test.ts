import { afterEach, describe, expect, it, vi } from 'vitest';
import { type FrameOptions, readFrames } from '../../../src/client/chat/frames.js';
import { PaAuthenticationError, PaConnectionError } from '../../../src/client/errors.js';
import type { ChatFrame } from '../../../src/contract/chat.js';
import fc, { casesAtDepth } from '../../property.js';
import { cutoff, echo, encode, inChunks, piece, streamed, turnFrames, unplaced, usage, whole } from './fake-chat.js';

async function read(response: Response, options: Partial<FrameOptions> = {}) {
  const frames: ChatFrame[] = [];
  const ids: (string | null)[] = [];
  const onFrame: FrameOptions['onFrame'] = (frame, id) => {
    frames.push(frame);
    ids.push(id);
  };
  const { sawUsage } = await readFrames(response, { onFrame, ...options });
  return { frames, ids, sawUsage };
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const sent = [cutoff(), ...turnFrames('1700000000000-message', 'How many?'), usage];

afterEach(() => {
  vi.useRealTimers();
});

describe('readFrames', () => {
  it('gives the same frames however the bytes are cut, in every form', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('ndjson' as const, 'crlf' as const, 'sse' as const),
        fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 12 }),
        async (wire, lengths) => {
          const bytes = encode(wire, unplaced(sent));
          const { frames, sawUsage } = await read(streamed(wire, inChunks(bytes, lengths)));
          expect(frames).toEqual(sent);
          expect(sawUsage).toBe(true);
        },
      ),
      { numRuns: casesAtDepth(150, 30) },
    );
  });

  it('tells the ids of events that have one, if they can be sent back', async () => {
    const body = `id: m:1\ndata: ${JSON.stringify(echo('m', 'a'))}\n\nid: ü\n${`data: ${JSON.stringify(usage)}\n\n`}`;
    expect((await read(streamed('sse', [body]))).ids).toEqual(['m:1', null]);
  });

  it.each(['', 'text/plain', 'application/json', 'application/x-ndjson', 'Application/JSON; charset=utf-8'])(
    'reads lines where the content type is "%s"',
    async type => {
      expect((await read(streamed(type, [line(usage)]))).frames).toEqual([usage]);
    },
  );

  it('passes over a byte order mark, heartbeats, and values that are no objects', async () => {
    const body = `\uFEFF\n \r\n${line(1)}${line(null)}${line([usage])}${line('text')}${line(usage)}`;
    expect((await read(streamed('ndjson', [body]))).frames).toEqual([usage]);
    const events = `\uFEFF: heartbeat\n\ndata:\n\nevent: ping\n\ndata: ${line(usage)}\n`;
    expect((await read(streamed('sse', [events]))).frames).toEqual([usage]);
  });

  it('reads a last line that has no end', async () => {
    expect((await read(streamed('ndjson', [JSON.stringify(usage)]))).frames).toEqual([usage]);
  });

  it.each(['text/html; charset=utf-8', 'image/png'])('refuses %s', async type => {
    await expect(read(streamed(type, ['<html>secret</html>']))).rejects.toMatchObject({ code: 'invalid_response' });
  });

  it.each([
    ['ndjson', 'secret words\n'],
    ['sse', 'data: secret words\n\n'],
  ])('refuses what is no JSON without quoting it (%s)', async (wire, body) => {
    const error = await read(streamed(wire, [body])).catch(caught => caught);
    expect(error).toMatchObject({ code: 'invalid_response' });
    expect(error.message).not.toContain('secret');
  });

  it('drops fields of a wrong type and fields that nobody knows', async () => {
    const hostile =
      '{"id":1,"role":"system","content":{"a":1},"thinking":[],"isDelta":"yes","sort":"1","graphPath":[1],"toolCall":{"name":1},' +
      '"state":[],"usage":7,"images":"x","finishReason":"won","__proto__":{"polluted":true},"constructor":{}}';
    const { frames } = await read(streamed('ndjson', [hostile, '\n', line(usage)]));
    expect(frames).toEqual([{}, usage]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(frames[0])).toBe(Object.prototype);
  });

  it('keeps images that a page may show alone', async () => {
    const image = { mimeType: 'image/png', data: 'AAAA' };
    const images = [image, { mimeType: 'image/svg+xml', data: 'AAAA' }, { ...image, data: 'javascript:' }, null];
    const { frames } = await read(streamed('ndjson', [line({ id: 'm', role: 'user', images }), line(usage)]));
    expect(frames[0]?.images).toEqual([image]);
  });

  it('keeps tools, codes and marks that it does not know', async () => {
    const frame = { id: 'x', role: 'assistant', toolCall: { name: 'sendRocket', input: 'no json' }, code: 'new_code' };
    expect((await read(streamed('ndjson', [line(frame), line(usage)]))).frames[0]).toEqual(frame);
  });

  it.each([
    { jsonrpc: '2.0', error: { code: -32_001, message: 'Unauthorized' } },
    { jsonrpc: '2.0', error: { code: 401, message: 'No.' } },
    { error: { code: 'x', message: 'jwt expired' } },
  ])('takes %j for a refused credential', async body => {
    await expect(read(streamed('ndjson', [JSON.stringify(body)]))).rejects.toBeInstanceOf(PaAuthenticationError);
  });

  it.each([
    [
      { jsonrpc: '2.0', error: { code: -32_603, message: 'Boom' } },
      { code: 'server_failed', status: null },
    ],
    [{ error: { code: 404, message: 'No agent' } }, { code: 'not_found', status: 404 }],
    [{ error: { code: 503, message: 'Down' } }, { code: 'server_failed', status: 503 }],
  ])('takes %j for an error of the service', async (body, expected) => {
    await expect(read(streamed('ndjson', [line(body)]))).rejects.toMatchObject(expected);
  });

  it('passes an error line on, without credentials', async () => {
    const { frames } = await read(streamed('ndjson', [line({ error: `failed for ${'ab'.repeat(16)}` })]));
    expect(frames).toEqual([{ error: 'failed for [removed]' }]);
  });

  const answer = [cutoff(), echo('m', 'a'), piece('t', 'x')];
  it.each([
    ['the connection broke', [...answer, whole('t', 'x')], 'cut' as const],
    ['a text was not whole', answer, 'clean' as const],
    ['nothing was answered', [cutoff(), echo('m', 'a')], 'clean' as const],
    ['nothing came', [], 'clean' as const],
    ['the answer stands before the cutoff', [whole('t', 'x'), cutoff()], 'clean' as const],
  ])('is told that an answer broke off where %s', async (_what, frames, end) => {
    const body = streamed('ndjson', [encode('ndjson', unplaced(frames))], end);
    await expect(read(body)).rejects.toBeInstanceOf(PaConnectionError);
  });

  it('takes half a line at the end for a broken connection', async () => {
    await expect(read(streamed('ndjson', [line(cutoff()), '{"id":"t","con']))).rejects.toBeInstanceOf(
      PaConnectionError,
    );
  });

  it('takes a whole text for the end where a service sends no usage, but not in events', async () => {
    const frames = unplaced([...answer, whole('t', 'x')]);
    expect(await read(streamed('ndjson', [encode('ndjson', frames)]))).toMatchObject({ sawUsage: false });
    await expect(read(streamed('sse', [encode('sse', frames)]))).rejects.toBeInstanceOf(PaConnectionError);
  });

  it('takes a thread that was told for whole', async () => {
    const body = encode('ndjson', unplaced([echo('m', 'a'), cutoff()]));
    expect((await read(streamed('ndjson', [body]), { isReading: true })).frames).toHaveLength(2);
  });

  it('takes silence for a lost connection, but not heartbeats', async () => {
    vi.useFakeTimers();
    let beat: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: controller => {
        beat = controller;
      },
    });
    const ended = vi.fn();
    read(new Response(body)).catch(ended);
    for (let minute = 0; minute < 3; minute += 1) {
      await vi.advanceTimersByTimeAsync(50_000);
      beat?.enqueue(new TextEncoder().encode('\n'));
    }
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(61_000);
    expect(ended.mock.calls[0]?.[0]).toBeInstanceOf(PaConnectionError);
  });

  it('does not wait for the end of a stream that has said all', async () => {
    vi.useFakeTimers();
    const ended = read(streamed('ndjson', [line(cutoff()), line(usage)], 'never'));
    await vi.advanceTimersByTimeAsync(1500);
    expect((await ended).sawUsage).toBe(true);
  });

  it('stops when it is told to, and lets go of the connection', async () => {
    const controller = new AbortController();
    const response = streamed('ndjson', [line(cutoff())], 'never');
    const ended = read(response, { signal: controller.signal, onFrame: () => controller.abort() });
    await expect(ended).rejects.toMatchObject({ code: 'aborted' });
  });

  it.each(['ndjson', 'sse'])('refuses a line without an end (%s)', async wire => {
    const mega = 'x'.repeat(1024 * 1024);
    const endless = streamed(wire, ['data: ', ...Array.from({ length: 12 }, () => mega)], 'never');
    await expect(read(endless)).rejects.toMatchObject({ code: 'invalid_response' });
  });

  it('refuses frames without an end', async () => {
    const many = '{"id":"a"}\n'.repeat(10_000);
    const endless = streamed(
      'ndjson',
      Array.from({ length: 25 }, () => many),
      'never',
    );
    await expect(read(endless)).rejects.toMatchObject({ code: 'invalid_response' });
  });
});
