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
  it('gives the same frames for any chunks and every format', async () => {
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
      { numRuns: casesAtDepth(150) },
    );
  });

  it('returns event ids that can be sent as a header', async () => {
    const body = `id: m:1\ndata: ${JSON.stringify(echo('m', 'a'))}\n\nid: ü\n${`data: ${JSON.stringify(usage)}\n\n`}`;
    expect((await read(streamed('sse', [body]))).ids).toEqual(['m:1', null]);
  });

  it.each(['', 'text/plain', 'application/json', 'application/x-ndjson', 'Application/JSON; charset=utf-8'])(
    'reads lines if the content type is "%s"',
    async type => {
      expect((await read(streamed(type, [line(usage)]))).frames).toEqual([usage]);
    },
  );

  it('skips a byte order mark, heartbeats, and values that are not objects', async () => {
    const body = `\uFEFF\n \r\n${line(1)}${line(null)}${line([usage])}${line('text')}${line(usage)}`;
    expect((await read(streamed('ndjson', [body]))).frames).toEqual([usage]);
    const events = `\uFEFF: heartbeat\n\ndata:\n\nevent: ping\n\ndata: ${line(usage)}\n`;
    expect((await read(streamed('sse', [events]))).frames).toEqual([usage]);
  });

  it('reads a last line without a line break', async () => {
    expect((await read(streamed('ndjson', [JSON.stringify(usage)]))).frames).toEqual([usage]);
  });

  it.each(['text/html; charset=utf-8', 'image/png'])('rejects %s', async type => {
    await expect(read(streamed(type, ['<html>secret</html>']))).rejects.toMatchObject({ code: 'invalid_response' });
  });

  it.each([
    ['ndjson', 'secret words\n'],
    ['sse', 'data: secret words\n\n'],
  ])('rejects invalid JSON without quoting it (%s)', async (wire, body) => {
    const error = await read(streamed(wire, [body])).catch(caught => caught);
    expect(error).toMatchObject({ code: 'invalid_response' });
    expect(error.message).not.toContain('secret');
  });

  it('drops fields of the wrong type and unknown fields', async () => {
    const hostile =
      '{"id":1,"role":"system","content":{"a":1},"thinking":[],"isDelta":"yes","sort":"1","graphPath":[1],"toolCall":{"name":1},' +
      '"state":[],"usage":7,"images":"x","finishReason":"won","__proto__":{"polluted":true},"constructor":{}}';
    const { frames } = await read(streamed('ndjson', [hostile, '\n', line(usage)]));
    expect(frames).toEqual([{}, usage]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(frames[0])).toBe(Object.prototype);
  });

  it('keeps only images that a page may show', async () => {
    const image = { mimeType: 'image/png', data: 'AAAA' };
    const images = [image, { mimeType: 'image/svg+xml', data: 'AAAA' }, { ...image, data: 'javascript:' }, null];
    const { frames } = await read(streamed('ndjson', [line({ id: 'm', role: 'user', images }), line(usage)]));
    expect(frames[0]?.images).toEqual([image]);
  });

  it('preserves unknown tools, codes and flags', async () => {
    const frame = { id: 'x', role: 'assistant', toolCall: { name: 'sendRocket', input: 'no json' }, code: 'new_code' };
    expect((await read(streamed('ndjson', [line(frame), line(usage)]))).frames[0]).toEqual(frame);
  });

  it.each([
    { jsonrpc: '2.0', error: { code: -32_001, message: 'Unauthorized' } },
    { jsonrpc: '2.0', error: { code: 401, message: 'No.' } },
    { error: { code: 'x', message: 'jwt expired' } },
  ])('treats %j as rejected credentials', async body => {
    await expect(read(streamed('ndjson', [JSON.stringify(body)]))).rejects.toBeInstanceOf(PaAuthenticationError);
  });

  it.each([
    [
      { jsonrpc: '2.0', error: { code: -32_603, message: 'Boom' } },
      { code: 'server_failed', status: null },
    ],
    [{ error: { code: 404, message: 'No agent' } }, { code: 'not_found', status: 404 }],
    [{ error: { code: 503, message: 'Down' } }, { code: 'server_failed', status: 503 }],
  ])('treats %j as an error of the service', async (body, expected) => {
    await expect(read(streamed('ndjson', [line(body)]))).rejects.toMatchObject(expected);
  });

  it('forwards an error line without credentials', async () => {
    const { frames } = await read(streamed('ndjson', [line({ error: `failed for ${'ab'.repeat(16)}` })]));
    expect(frames).toEqual([{ error: 'failed for [removed]' }]);
  });

  const answer = [cutoff(), echo('m', 'a'), piece('t', 'x')];
  it.each([
    ['the connection is lost', [...answer, whole('t', 'x')], 'cut' as const],
    ['a text is incomplete', answer, 'clean' as const],
    ['there is no answer', [cutoff(), echo('m', 'a')], 'clean' as const],
    ['nothing was received', [], 'clean' as const],
    ['the answer is before the cutoff', [whole('t', 'x'), cutoff()], 'clean' as const],
  ])('reports a lost connection if %s', async (_what, frames, end) => {
    const body = streamed('ndjson', [encode('ndjson', unplaced(frames))], end);
    await expect(read(body)).rejects.toBeInstanceOf(PaConnectionError);
  });

  it('treats a partial last line as a lost connection', async () => {
    await expect(read(streamed('ndjson', [line(cutoff()), '{"id":"t","con']))).rejects.toBeInstanceOf(
      PaConnectionError,
    );
  });

  it('accepts a complete text as the end without usage, but not in events', async () => {
    const frames = unplaced([...answer, whole('t', 'x')]);
    expect(await read(streamed('ndjson', [encode('ndjson', frames)]))).toMatchObject({ sawUsage: false });
    await expect(read(streamed('sse', [encode('sse', frames)]))).rejects.toBeInstanceOf(PaConnectionError);
  });

  it('accepts a complete thread', async () => {
    const body = encode('ndjson', unplaced([echo('m', 'a'), cutoff()]));
    expect((await read(streamed('ndjson', [body]), { isReading: true })).frames).toHaveLength(2);
  });

  it('treats silence as a lost connection, but not heartbeats', async () => {
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

  it('does not wait for the end of a complete stream', async () => {
    vi.useFakeTimers();
    const ended = read(streamed('ndjson', [line(cutoff()), line(usage)], 'never'));
    await vi.advanceTimersByTimeAsync(1500);
    expect((await ended).sawUsage).toBe(true);
  });

  it('stops with its signal and closes the connection', async () => {
    const controller = new AbortController();
    const response = streamed('ndjson', [line(cutoff())], 'never');
    const ended = read(response, { signal: controller.signal, onFrame: () => controller.abort() });
    await expect(ended).rejects.toMatchObject({ code: 'aborted' });
  });

  it.each(['ndjson', 'sse'])('rejects an unlimited line (%s)', async wire => {
    const mega = 'x'.repeat(1024 * 1024);
    const endless = streamed(wire, ['data: ', ...Array.from({ length: 12 }, () => mega)], 'never');
    await expect(read(endless)).rejects.toMatchObject({ code: 'invalid_response' });
  });

  it('rejects unlimited frames', async () => {
    const many = '{"id":"a"}\n'.repeat(10_000);
    const endless = streamed(
      'ndjson',
      Array.from({ length: 25 }, () => many),
      'never',
    );
    await expect(read(endless)).rejects.toMatchObject({ code: 'invalid_response' });
  });
});
