import '../../../../src/contract/messages.js';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { UpstreamLimits } from '../../../../src/platform/data/upstream/upstream-client.js';
import { eventually } from '../../../eventually.js';
import { withFakeTimers } from '../../../with-fake-timers.js';
import { type Answer, type FakeCluster, json, passOnTo, raw, secret, startFakeCluster } from './fake-cluster.js';

let cluster: FakeCluster;
afterEach(() => {
  vi.useRealTimers();
  return cluster?.stop();
});

async function answering(answer: Answer, limits: Partial<UpstreamLimits> = {}): Promise<FakeCluster> {
  cluster = await startFakeCluster(answer, limits);
  return cluster;
}

const head = (...lines: string[]) =>
  ['HTTP/1.1 200 OK', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');
const page =
  (status: number, text: string): Answer =>
  response => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(text);
  };
const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const sound = {
  query: { ...{ measures: ['t.count'] }, limit: 10_000, timezone: 'UTC' },
  data: [{ 't.count': '45' }],
  annotation: { measures: {}, dimensions: {}, segments: {}, timeDimensions: {} },
  dbType: 'postgres',
  slowQuery: false,
};
const large = { ...sound, data: Array.from({ length: 5000 }, (_, index) => ({ 't.count': `${index} größer` })) };

describe('a response', () => {
  it.each([
    ['small', sound],
    ['large', large],
  ])('that is %s is passed on unchanged, once', async (_, body) => {
    const { load, events, problems } = await answering(json(body));
    const response = await load({ headers: { 'x-request-id': 'abc-span-1' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-request-id')).toBe('abc-span-1');
    expect(await response.json()).toEqual(body);
    expect(events).toMatchObject([
      { operation: 'load', status: 200, outcome: 'ok', cache: 'upstream', rows: 0, requestId: 'abc-span-1' },
    ]);
    expect(problems).toEqual([]);
  });

  it('can arrive in pieces of any size', async () => {
    const text = Buffer.from(JSON.stringify({ ...sound, data: ['ä€😀'] }));
    const pieces = [...text].map(byte =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
    );
    const { load } = await answering(raw([head('Transfer-Encoding: chunked'), ...pieces, '0\r\n\r\n'], 'stay'));
    expect(await (await load()).json()).toMatchObject({ data: ['ä€😀'] });
  });

  it('is streamed while the cluster produces it', async () => {
    let finish = () => {};
    const { load } = await answering(response => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"schema":[{"name":"a","column_type":"String"}]}\n');
      finish = () => response.end('{"data":[["1"]]}\n');
    });
    const reader = (await load()).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? '').toString()).toMatch(/^\{"schema"/);
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? '').toString()).toBe('{"data":[["1"]]}\n');
    expect((await reader?.read())?.done).toBe(true);
  });

  it('keeps error lines', async () => {
    const lines = '{"schema":[]}\n{"data":[["1"]]}\n{"error":"Query timed out"}\n';
    const { load } = await answering(json(lines));
    expect(await (await load()).text()).toBe(lines);
  });

  it('contains no headers of the cluster', async () => {
    const { load } = await answering((response, socket, seen) => {
      response
        .setHeader('set-cookie', 'a=b')
        .setHeader('access-control-allow-origin', '*')
        .setHeader('x-powered-by', 'x');
      return json(sound)(response, socket, seen);
    });
    expect([...(await load()).headers.keys()].sort()).toEqual(['content-type', 'x-request-id']);
  });

  it('is read at the speed of the caller', async () => {
    const block = Buffer.from(`{"data":[${'["x"],'.repeat(10_000)}["x"]]}\n`);
    let written = 0;
    let isOver = false;
    const { load } = await answering(async response => {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let count = 0; count < 2000 && !isOver; count += 1) {
        written += block.length;
        if (!response.write(block)) await once(response, 'drain');
      }
      response.end();
    });
    const response = await load();
    let last = -1;
    await eventually(() => {
      const before = last;
      last = written;
      expect(written).toBe(before);
    }, 100);
    expect(written).toBeLessThan(20_000_000);
    isOver = true;
    await response.body?.cancel();
  });
});

describe('Continue wait', () => {
  it.each([
    [{ error: 'Continue wait' }, { stage: 'Executing the query', timeElapsed: 0 }],
    [
      { error: 'Continue wait', stage: 'Waiting in queue', timeElapsed: 1234 },
      { stage: 'Waiting in queue', timeElapsed: 1234 },
    ],
    [
      { stage: 7, error: 'Continue wait', timeElapsed: '3' },
      { stage: 'Executing the query', timeElapsed: 0 },
    ],
  ])('is returned as %j', async (body, expected) => {
    const { load, events } = await answering(json(body));
    const response = await load();
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ error: 'Continue wait', ...expected });
    expect(events).toMatchObject([{ status: 200, outcome: 'continue-wait' }]);
  });

  it('is recognized in pieces', async () => {
    const pieces = [...' {"error": "Continue wait"}'].map(chunked);
    const { load } = await answering(raw([head('Transfer-Encoding: chunked'), ...pieces, '0\r\n\r\n'], 'stay'));
    expect(await (await load()).json()).toMatchObject({ error: 'Continue wait' });
  });

  it('is not recognized inside a result', async () => {
    const { load, events } = await answering(json({ ...sound, data: [{ 't.name': 'Continue wait' }] }));
    expect(await (await load()).json()).toMatchObject({ data: [{ 't.name': 'Continue wait' }] });
    expect(events).toMatchObject([{ outcome: 'ok' }]);
  });
});

describe('a client error', () => {
  it.each([
    [400, { error: 'Unknown member t.none' }, 400, 'Unknown member t.none'],
    [400, { type: 'UserError', error: 'Bad', stack: 'secret' }, 400, 'Bad'],
    [400, { message: 'of an edge' }, 400, 'of an edge'],
    [400, { error: { code: 7 } }, 400, 'The data service rejected the request.'],
    [413, '<html>too large</html>', 413, 'The data service rejected the request.'],
    [418, { error: 'teapot' }, 400, 'teapot'],
    [404, { error: 'no such thing' }, 404, 'no such thing'],
  ])('%i %j is returned as %i %s', async (status, body, expected, message) => {
    const { load, problems, events } = await answering(json(body, status));
    const response = await load();
    expect(response.status).toBe(expected);
    expect(await response.json()).toEqual({ error: message, requestId: expect.any(String) });
    expect(problems).toEqual([]);
    expect(events).toMatchObject([{ status: expected, outcome: 'refused' }]);
  });

  it('is limited to one line without stack traces and tokens', async () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.x-y_z';
    const error = `jwt ${token} \u0000is\nodd\u202e ${'x'.repeat(9000)}`;
    const { load } = await answering(json({ error }, 400));
    const message = (await (await load()).json()).error;
    expect(message).toMatch(/^jwt … is odd x+$/);
    expect(message).toHaveLength(500);
    await cluster.stop();
    const traced = await answering(
      json({ error: 'Error: no\n    at plan (/srv/app/x.js:1:2)\n    at y (z.js:3:4)' }, 400),
    );
    expect(await (await traced.load()).json()).toMatchObject({ error: 'Error: no' });
  });
});

describe('a cluster problem for the operator', () => {
  it.each([
    [
      'a rejected token',
      json({ error: 'Invalid token' }, 403),
      502,
      "rejected the platform's token (403): set PA_DATA_API_UPSTREAM_SECRET",
    ],
    [
      'no authorization',
      json({ error: "Authorization header isn't set" }, 401),
      502,
      "rejected the platform's token (401)",
    ],
    ['an HTML page', page(200, '<html>'), 502, 'not JSON'],
    ['a 404 page', page(404, 'Cannot POST /base/v1/load'), 502, 'has no Data API at this address'],
    ['nothing', page(204, ''), 502, 'returned 204'],
    ['a failure', json({ error: 'Error: relation "secret" does not exist' }, 500), 500, 'returned 500'],
    ['a rate limit', json({ error: 'later' }, 429), 503, 'returned 429'],
    ['a gateway', page(502, '<html>'), 503, 'returned 502'],
    ['an outage', json({ message: 'down' }, 503), 503, 'returned 503'],
  ])('%s', async (_, answer, status, note) => {
    const { load, problems, events } = await answering(answer);
    const response = await load({ headers: { 'x-request-id': 'id-1' } });
    expect(response.status).toBe(status);
    const { error } = await response.json();
    expect(error).toMatch(/^The data service .*\.$/);
    expect(error).not.toMatch(/token|secret/i);
    expect(response.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^id-1 The upstream of the Data API /);
    expect(problems[0]).toContain(note);
    expect(problems[0]).not.toContain(secret);
    expect(events).toMatchObject([{ status, outcome: status === 503 ? 'busy' : 'failed' }]);
  });

  it.each([301, 302, 307, 308])('a redirect (%i) is not followed', async status => {
    const { load, problems, requests } = await answering(response => {
      response.writeHead(status, { location: '/base/elsewhere' }).end();
    });
    expect((await load()).status).toBe(502);
    expect(problems[0]).toContain(`redirect (${status})`);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['huge headers', raw([head(`X-Filler: ${'x'.repeat(40_000)}`)], 'stay'), 'HPE_HEADER_OVERFLOW'],
    ['another protocol', raw(['SSH-2.0-OpenSSH_9.6\r\n'], 'end'), 'not HTTP'],
    [
      'gzip',
      raw([head('Content-Encoding: gzip', 'Content-Length: 60'), gzipSync('x'.repeat(60))], 'stay'),
      'compressed a response',
    ],
    ['a body of unknown length', raw([head('Connection: close'), '{"data":[]}'], 'end'), 'without content-length'],
    [
      'an upgrade',
      raw(['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'], 'stay'),
      'Data API',
    ],
    ['a reset', raw([], 'reset'), "can't be reached"],
    ['a closed connection', raw([], 'end'), "can't be reached"],
  ])('%s', async (_, answer, note) => {
    const { load, problems } = await answering(answer);
    expect((await load()).status).toBe(502);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(note);
  });

  it('no server listens', async () => {
    const { stop, port } = await startFakeCluster(json(sound));
    await stop();
    const problems: string[] = [];
    const response = await passOnTo(`http://127.0.0.1:${port}`, { problems }).load();
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: "The data service can't be reached. Try again in a moment." });
    expect(problems[0]).toMatch(/can't be reached \(ECONNREFUSED\)\.$/);
  });

  it('a server without TLS', async () => {
    const { port } = await answering(json(sound));
    const problems: string[] = [];
    expect((await passOnTo(`https://127.0.0.1:${port}`, { problems }).load()).status).toBe(502);
    expect(problems[0]).toMatch(/certificate|handshake|TLS/i);
  });
});

describe('a slow cluster', () => {
  const timeouts = { headMs: 60_000, silenceMs: 60_000 };

  it.each([
    ['that never responds', () => {}],
    ['that sends headers without a body', raw([head('Transfer-Encoding: chunked')], 'stay')],
    [
      'that never ends an error response',
      raw(['HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n', chunked('{"error":')], 'stay'),
    ],
  ])('%s is aborted', async (_, answer) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { load, problems, requests } = await answering(answer, timeouts);
    const pending = load();
    await eventually(() => expect(requests).toHaveLength(1));
    const response = await withFakeTimers(pending);
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ error: expect.stringContaining('took too long') });
    expect(problems).toHaveLength(1);
    await eventually(() => expect(requests[0]?.isGone()).toBe(true));
  });

  it('that stalls in the middle of a response causes an error', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { load, problems, events } = await answering(
      raw([head('Transfer-Encoding: chunked'), chunked('{"data":[')], 'stay'),
      timeouts,
    );
    await expect(withFakeTimers((await load()).text())).rejects.toThrow('took too long');
    expect(problems[0]).toContain('stopped sending');
    expect(events).toMatchObject([{ status: 200, outcome: 'failed' }]);
  });
});

describe('a truncated response', () => {
  it.each([
    ['within a chunk', [head('Transfer-Encoding: chunked'), 'ff\r\n{"data":['], 'end'],
    ['between chunks', [head('Transfer-Encoding: chunked'), chunked('{"data":[["1"]]}\n')], 'end'],
    [
      'when the server closes',
      [head('Transfer-Encoding: chunked', 'Connection: close'), chunked('{"data":[["1"]]}\n')],
      'end',
    ],
    ['before its content length', [head('Content-Length: 9000'), '{"data":[["1"]]}\n'], 'end'],
    ['by a reset', [head('Transfer-Encoding: chunked'), chunked('{"data":[["1"]]}\n')], 'reset'],
  ] as const)('%s is an error for the reader', async (_, pieces, end) => {
    const { load, problems, events } = await answering(raw(pieces, end));
    await expect((await load()).text()).rejects.toThrow('was lost');
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('closed the connection in the middle of a response');
    expect(events).toMatchObject([{ status: 200, outcome: 'failed' }]);
  });
});

describe('a caller', () => {
  it('that aborts before the response cancels the request', async () => {
    const { load, requests, events } = await answering(() => {});
    const controller = new AbortController();
    const answer = load({ signal: controller.signal });
    await eventually(() => expect(requests).toHaveLength(1));
    controller.abort();
    expect((await answer).status).toBe(499);
    await eventually(() => expect(requests[0]?.isGone()).toBe(true));
    expect(events).toMatchObject([{ outcome: 'aborted' }]);
  });

  it('that aborts during the response cancels the request', async () => {
    const { load, requests, events, client, problems } = await answering(
      raw([head('Transfer-Encoding: chunked'), chunked('{"data":[')], 'stay'),
    );
    const response = await load();
    expect(client.stats.running).toBe(1);
    await response.body?.cancel();
    await eventually(() => expect(requests[0]?.isGone()).toBe(true));
    await eventually(() => expect(client.stats.running).toBe(0));
    expect(events).toMatchObject([{ status: 200, outcome: 'aborted' }]);
    expect(problems).toEqual([]);
  });

  it('that does not read is disconnected', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { load, requests, client } = await answering(
      raw([head('Transfer-Encoding: chunked'), chunked('{"data":[')], 'stay'),
      { silenceMs: 60_000 },
    );
    const response = await load();
    vi.advanceTimersByTime(60_000);
    await eventually(() => expect(requests[0]?.isGone()).toBe(true));
    await eventually(() => expect(client.stats.running).toBe(0));
    await expect(response.text()).rejects.toThrow('stopped reading');
  });

  it('waits in the queue, or gets a 503 if it is full', async () => {
    const { load, requests, client } = await answering(() => {}, { concurrency: 2, queueLimit: 2 });
    const controller = new AbortController();
    const ask = (tenant: string) => load({ signal: controller.signal, headers: { authorization: tenant } });
    const responses = ['a', 'b', 'c', 'd'].map(ask);
    await eventually(() => expect(client.stats).toEqual({ running: 2, waiting: 2 }));
    const refused = await ask('e');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(requests.length).toBeLessThanOrEqual(2);
    controller.abort();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([499, 499, 499, 499]);
    expect(client.stats).toEqual({ running: 0, waiting: 0 });
  });

  it('is retried if the cluster closed an idle connection', async () => {
    let count = 0;
    const { load, requests, problems } = await answering((response, socket, seen) => {
      count += 1;
      if (count === 2) socket.destroy();
      else return json(sound)(response, socket, seen);
    });
    expect(await (await load()).json()).toEqual(sound);
    expect(await (await load()).json()).toEqual(sound);
    expect(problems).toEqual([]);
    expect(requests).toHaveLength(3);
  });
});
