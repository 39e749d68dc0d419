import { describe, expect, it, vi } from 'vitest';
import { guardedFetch } from '../../../../src/platform/agent/language-model/connect-model.js';

const baseUrl = new URL('http://127.0.0.1:1/v1');
const headers = { 'content-type': 'text/event-stream; charset=utf-8' };

function start(answer: () => Response) {
  const inner = vi.fn<typeof fetch>(async () => answer());
  return { inner, guarded: guardedFetch({ baseUrl, answerBytes: 100, fetch: inner }) };
}

describe('a guarded fetch', () => {
  it.each([
    'http://127.0.0.1:2/v1/chat/completions',
    'https://127.0.0.1:1/v1/chat/completions',
    'http://192.0.2.1/v1',
    'file:///etc/passwd',
  ])('does not send a request to %s', async url => {
    const { guarded, inner } = start(() => new Response('data: 1\n\n', { headers }));
    await expect(guarded(url)).rejects.toMatchObject({ kind: 'unfit' });
    await expect(guarded(new Request(new URL(url)))).rejects.toMatchObject({ kind: 'unfit' });
    expect(inner).not.toHaveBeenCalled();
  });

  it('follows no redirect', async () => {
    const { guarded, inner } = start(
      () => new Response(null, { status: 307, headers: { location: 'http://192.0.2.1/' } }),
    );
    await expect(guarded('http://127.0.0.1:1/v1')).rejects.toMatchObject({ kind: 'unfit' });
    expect(inner.mock.calls.map(([, init]) => init?.redirect)).toEqual(['manual']);
  });

  it.each([
    [['data: 1\n\ndata: [DO', 'NE]\n\n', 'data: 2\n\n'], 'data: 1\n\ndata: [DONE]\n\n'],
    [['data:[DONE]', '\n\n'], 'data:[DONE]'],
    [['data: "x', 'data: [DONE]', ' y"\n\n'], 'data: "xdata: [DONE] y"\n\n'],
    [
      [`data: "${'x'.repeat(20)}`, 'data: [DONE]_________', 'y"\n\n'],
      `data: "${'x'.repeat(20)}data: [DONE]_________y"\n\n`,
    ],
  ])('reads up to the final line only: %j', async (pieces, read) => {
    const { guarded } = start(() => new Response(streamOf(pieces), { headers }));
    expect(await (await guarded('http://127.0.0.1:1/v1')).text()).toBe(read);
  });

  it('limits the size of a response', async () => {
    const { guarded } = start(() => new Response('x'.repeat(101), { headers }));
    const response = await guarded('http://127.0.0.1:1/v1');
    await expect(response.text()).rejects.toMatchObject({ kind: 'long' });
  });
});

function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array> {
  const rest = pieces.map(piece => new TextEncoder().encode(piece));
  return new ReadableStream({
    pull(controller) {
      const next = rest.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
  });
}
