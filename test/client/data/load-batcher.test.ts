import { describe, expect, it } from 'vitest';
import { loadWith } from '../../../src/client/data/load.js';
import { LoadBatcher } from '../../../src/client/data/load-batcher.js';
import { PaAbortError } from '../../../src/client/errors.js';
import type { Query } from '../../../src/contract/query.js';
import type { RowSet } from '../../../src/contract/row-set.js';
import { json, loadAnswer } from '../fake-service.js';

const queries = (count: number): Query[] =>
  Array.from({ length: count }, (_, index) => ({ measures: ['flights.count'], limit: index + 1 }));

interface Sent {
  readonly path: string;
  readonly body: { readonly query?: Query; readonly requests?: { readonly query: Query }[] };
  readonly signal: AbortSignal | null | undefined;
}

/** A service whose batches are answered by `batch`, and single requests by `alone`. */
function serviceWith(
  batch: (sent: Sent) => Response,
  alone: (sent: Sent) => Response = () => json(loadAnswer([{ 'flights.count': 'alone' }])),
) {
  const sent: Sent[] = [];
  const batcher = new LoadBatcher();
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const one = { path: new URL(String(input)).pathname, body: JSON.parse(String(init.body)), signal: init.signal };
    sent.push(one);
    return one.path.endsWith('-batch') ? batch(one) : alone(one);
  };
  const connection = { baseUrl: 'https://data.example', token: 'jwt', fetch };
  const load = (query: Query, options: { signal?: AbortSignal; token?: string } = {}): Promise<RowSet> => {
    const { token = 'jwt', ...rest } = options;
    return loadWith(batcher, { ...connection, token }, query, rest);
  };
  return { load, sent, paths: () => sent.map(({ path }) => path) };
}

const lineOf = (index: number, count = String(index)): string =>
  `${JSON.stringify({ index, status: 200, body: loadAnswer([{ 'flights.count': count }]) })}\n`;

const linesOf = ({ body }: Sent): string => (body.requests ?? []).map((_, index) => lineOf(index)).join('');

/** Answers with a stream whose chunks the test writes. */
function streamed() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  return {
    answer: () => new Response(body),
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
    fail: () => controller?.error(new Error('reset')),
  };
}

const countOf = ({ rows }: RowSet): unknown => rows[0]?.['flights.count'];

describe('queries of one task', () => {
  it('are sent in one request, and each gets its own rows', async () => {
    const { load, sent, paths } = serviceWith(one => new Response(linesOf(one)));
    const rows = await Promise.all(queries(24).map(query => load(query)));
    expect(rows.map(countOf)).toEqual(Array.from({ length: 24 }, (_, index) => String(index)));
    expect(paths()).toEqual(['/v1/load-batch']);
    expect(sent[0]?.body.requests?.map(({ query }) => query.limit)).toEqual(queries(24).map(({ limit }) => limit));
  });

  it('resolve as soon as their line has arrived, in any order and split anywhere', async () => {
    const stream = streamed();
    const { load } = serviceWith(stream.answer);
    const [first, second] = queries(2).map(query => load(query));
    const text = lineOf(1);
    stream.write(text.slice(0, 20));
    stream.write(text.slice(20));
    expect(await second?.then(countOf)).toBe('1');
    stream.write(lineOf(0).trimEnd());
    stream.end();
    expect(await first?.then(countOf)).toBe('0');
  });

  it('are sent in several requests beyond 64 queries, and per token', async () => {
    const { load, sent } = serviceWith(one => new Response(linesOf(one)));
    await Promise.all([
      ...queries(65).map(query => load(query)),
      ...queries(2).map(query => load(query, { token: 'other' })),
    ]);
    expect(sent.map(({ body }) => body.requests?.length ?? 1).sort()).toEqual([1, 2, 64]);
  });

  it('are sent in several requests if their bodies are large', async () => {
    const { load, sent } = serviceWith(one => new Response(linesOf(one)));
    const values = Array.from({ length: 9_000 }, (_, index) => `value ${index}`);
    await Promise.all(
      queries(4).map(query => load({ ...query, filters: [{ member: 'flights.origin', operator: 'equals', values }] })),
    );
    for (const { body } of sent) expect(JSON.stringify(body).length).toBeLessThan(256 * 1024);
    expect(sent.length).toBeGreaterThan(1);
  });

  it('are sent alone if there is only one', async () => {
    const { load, paths } = serviceWith(() => new Response());
    expect(countOf(await load(queries(1)[0] ?? {}))).toBe('alone');
    expect(paths()).toEqual(['/v1/load']);
  });
});

describe('a failure', () => {
  it('of one query rejects it like a single response, and no other', async () => {
    const failed = { index: 1, status: 400, body: { error: 'No such member for jwt.' } };
    const { load } = serviceWith(() => new Response(`${lineOf(0)}${JSON.stringify(failed)}\n${lineOf(2)}`));
    const [first, second, third] = await Promise.allSettled(queries(3).map(query => load(query)));
    expect([first?.status, third?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(second).toMatchObject({
      reason: { status: 400, code: 'bad_request', message: 'No such member for [removed].' },
    });
  });

  it.each([404, 405, 403, 501])('%i for the operation makes all queries single ones, also later', async status => {
    const { load, paths } = serviceWith(() => json({ error: 'The Data API has no such path.' }, status));
    for (let round = 0; round < 2; round += 1) {
      const rows = await Promise.all(queries(3).map(query => load(query)));
      expect(rows.map(countOf)).toEqual(['alone', 'alone', 'alone']);
    }
    expect(paths()).toEqual(['/v1/load-batch', ...Array.from({ length: 6 }, () => '/v1/load')]);
  });

  it('of the connection sends the queries without a response alone', async () => {
    const stream = streamed();
    const { load, paths } = serviceWith(stream.answer);
    const [first, second, third] = queries(3).map(query => load(query));
    stream.write(`${lineOf(1)}{"index":0,"status":200,"bo`);
    await second;
    stream.fail();
    expect((await Promise.all([first, third])).map(rows => rows && countOf(rows))).toEqual(['alone', 'alone']);
    expect(paths()).toEqual(['/v1/load-batch', '/v1/load', '/v1/load']);
  });

  it.each(['', '{"index":0}\n', 'null\n', '<html>', '{"index":7,"status":200,"body":{}}\n'])(
    'of the format (%j) sends the queries alone',
    async text => {
      const { load } = serviceWith(() => new Response(text));
      expect((await Promise.all(queries(2).map(query => load(query)))).map(countOf)).toEqual(['alone', 'alone']);
    },
  );

  it('of the token rejects all queries, so that the caller gets a new one', async () => {
    const { load, paths } = serviceWith(() => json({ error: 'Invalid token' }, 403));
    const results = await Promise.allSettled(queries(2).map(query => load(query)));
    expect(results).toMatchObject([
      { reason: { code: 'not_authenticated' } },
      { reason: { code: 'not_authenticated' } },
    ]);
    expect(paths()).toEqual(['/v1/load-batch']);
  });

  it('that requires a retry is retried alone', async () => {
    const busy = { index: 0, status: 503, retryAfter: 0, body: { error: 'Too many queries.' } };
    const { load, paths } = serviceWith(() => new Response(`${JSON.stringify(busy)}\n${lineOf(1)}`));
    expect((await Promise.all(queries(2).map(query => load(query)))).map(countOf)).toEqual(['alone', '1']);
    expect(paths()).toEqual(['/v1/load-batch', '/v1/load']);
  });
});

it('polls a long query alone', async () => {
  const wait = { index: 0, status: 200, body: { error: 'Continue wait', stage: 'x', timeElapsed: 5 } };
  const { load, paths } = serviceWith(() => new Response(`${JSON.stringify(wait)}\n${lineOf(1)}`));
  expect((await Promise.all(queries(2).map(query => load(query)))).map(countOf)).toEqual(['alone', '1']);
  expect(paths()).toEqual(['/v1/load-batch', '/v1/load']);
});

describe('an aborted query', () => {
  it('leaves the others alone, and the last one aborts the request', async () => {
    const stream = streamed();
    const { load, sent } = serviceWith(stream.answer);
    const [one, two] = [new AbortController(), new AbortController()];
    const [first, second, third] = [one.signal, two.signal, undefined].map((signal, index) =>
      load(queries(3)[index] ?? {}, signal && { signal }),
    );
    stream.write(lineOf(2));
    expect(await third?.then(countOf)).toBe('2');
    one.abort();
    await expect(first).rejects.toBeInstanceOf(PaAbortError);
    expect(sent[0]?.signal?.aborted).toBe(false);
    two.abort();
    await expect(second).rejects.toBeInstanceOf(PaAbortError);
    expect(sent[0]?.signal?.aborted).toBe(true);
  });

  it('is not sent if it is aborted immediately', async () => {
    const { load, sent } = serviceWith(one => new Response(linesOf(one)));
    const abort = new AbortController();
    const gone = load(queries(1)[0] ?? {}, { signal: abort.signal });
    const rest = queries(2).map(query => load(query));
    abort.abort();
    await expect(gone).rejects.toBeInstanceOf(PaAbortError);
    await Promise.all(rest);
    expect(sent.map(({ body }) => body.requests?.length)).toEqual([2]);
  });
});
