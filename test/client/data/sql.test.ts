import { describe, expect, it, vi } from 'vitest';
import { sql } from '../../../src/client/data/sql.js';
import type { PaError } from '../../../src/client/errors.js';
import { eventually } from '../../eventually.js';
import { json } from '../fake-service.js';

const baseUrl = 'https://data.example/data-api';
const statement = 'SELECT carrier, MEASURE(count) AS flights FROM flights GROUP BY 1';
const schema = [
  { name: 'carrier', column_type: 'String' },
  { name: 'flights', column_type: 'Int64', format: 'number_0' },
];
const first = { schema, lastRefreshTime: '2026-01-02T03:04:05.000Z' };

function connect(...answers: (() => Response)[]) {
  const fetch = vi.fn<typeof globalThis.fetch>(
    async () => (answers.length > 1 ? answers.shift() : answers[0])?.() ?? json({}),
  );
  return { connection: { baseUrl, token: 'jwt-of-someone', fetch }, fetch };
}

const ndjson = (...lines: unknown[]): string => lines.map(line => `${JSON.stringify(line)}\n`).join('');
const answer = (...lines: unknown[]) => connect(() => new Response(ndjson(...lines)));

/** Returns a body of these chunks; `onCancel` is called when the reader cancels. */
function streamed(pieces: Iterable<Uint8Array | Error>, onCancel = () => {}): Response {
  const left = pieces[Symbol.iterator]();
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const { done, value } = left.next();
        if (done) controller.close();
        else if (value instanceof Error) controller.error(value);
        else controller.enqueue(value);
      },
      cancel: onCancel,
    }),
  );
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const failure = (promise: Promise<unknown>): Promise<PaError> =>
  promise.then(
    () => Promise.reject(new Error('it succeeded')),
    error => error,
  );

describe('sql request', () => {
  it('posts the statement with the bare token', async () => {
    const { connection, fetch } = answer(first, { data: [] });
    await sql(connection, statement, { timezone: 'Europe/Berlin' });
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe('https://data.example/data-api/v1/sql');
    expect(new Headers(init?.headers).get('authorization')).toBe('jwt-of-someone');
    expect(JSON.parse(String(init?.body))).toEqual({
      query: statement,
      throwContinueWait: true,
      timezone: 'Europe/Berlin',
    });
  });

  it('repeats the request while the service returns Continue wait', async () => {
    const { connection, fetch } = connect(
      () => json({ error: 'Continue wait', stage: 'Executing query' }),
      () => new Response(ndjson({ error: 'Continue wait' })),
      () => new Response(ndjson(first, { data: [['a', '1']] })),
    );
    const onProgress = vi.fn();
    expect((await sql(connection, statement, { onProgress })).rows).toHaveLength(1);
    expect(fetch).toHaveBeenCalledTimes(3);
    expect(onProgress.mock.calls[0]?.[0]).toMatchObject({ stage: 'Executing query' });
  });

  it('ends immediately when it is canceled', async () => {
    const onCancel = vi.fn();
    const caller = new AbortController();
    const silent = new Response(new ReadableStream({ cancel: onCancel }));
    const { connection, fetch } = connect(() => silent);
    const left = failure(sql(connection, statement, { signal: caller.signal }));
    await eventually(() => expect(fetch).toHaveBeenCalled());
    caller.abort();
    expect((await left).code).toBe('aborted');
    expect(fetch.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
  });
});

describe('sql rows and columns', () => {
  it('returns the rows, and columns with the names of the SQL', async () => {
    const { connection } = answer(first, { data: [['AA', '3']] }, { data: [[null, '4']] });
    const rows = await sql(connection, statement);
    expect(rows.columns).toEqual([
      {
        member: 'carrier',
        kind: 'dimension',
        annotation: { title: 'carrier', shortTitle: 'carrier', type: 'string' },
      },
      {
        member: 'flights',
        kind: 'measure',
        annotation: { title: 'flights', shortTitle: 'flights', type: 'number', format: 'number_0' },
      },
    ]);
    expect(rows.rows).toEqual([
      { carrier: 'AA', flights: '3' },
      { carrier: null, flights: '4' },
    ]);
    expect(rows).toMatchObject({ truncated: false, lastRefreshTime: '2026-01-02T03:04:05.000Z' });
  });

  it.each([
    ['Int64', 'number', 'measure'],
    ['Double', 'number', 'measure'],
    ['Timestamp', 'time', 'timeDimension'],
    ['Date', 'time', 'timeDimension'],
    ['Boolean', 'boolean', 'dimension'],
    ['String', 'string', 'dimension'],
    ['Newer', 'string', 'dimension'],
  ])('reads a column of %s as %s', async (column_type, type, kind) => {
    const { connection } = answer({ schema: [{ name: 'x', column_type }] }, { data: [] });
    expect((await sql(connection, statement)).columns[0]).toMatchObject({ kind, annotation: { type } });
  });

  it('converts true and false only in boolean columns', async () => {
    const columns = [
      { name: 'b', column_type: 'Boolean' },
      { name: 's', column_type: 'String' },
    ];
    const { connection } = answer({ schema: columns }, { data: [['true', 'true']] }, { data: [['false', null]] });
    expect((await sql(connection, statement)).rows).toEqual([
      { b: true, s: 'true' },
      { b: false, s: null },
    ]);
  });

  it.each([
    ['2001-02-01T00:00:00.000', '2001-01-01', 'day'],
    ['2001-02-01T00:00:00.000', '2001-01-01T10:00:00.000', undefined],
  ])('marks times as daily if all of them are midnights', async (one, other, granularity) => {
    const { connection } = answer(
      { schema: [{ name: 'at', column_type: 'Timestamp' }] },
      { data: [[one], [null], [other]] },
    );
    const { columns } = await sql(connection, statement);
    expect(columns[0]?.annotation.granularity?.name).toBe(granularity);
  });

  it('uses title and granularity of a plain member column', async () => {
    const column = { name: 'm', column_type: 'Timestamp', title: 'Ordered', granularity: 'month' };
    const { connection } = answer({ schema: [column] }, { data: [['2001-02-01T00:00:00.000']] });
    expect((await sql(connection, statement)).columns[0]?.annotation).toMatchObject({
      shortTitle: 'Ordered',
      granularity: { name: 'month' },
    });
  });

  it('handles duplicate and hostile column names', async () => {
    const names = ['n', 'n', '__proto__', '', 'Total flights'];
    const columns = names.map(name => ({ name, column_type: 'String' }));
    const { connection } = answer({ schema: columns }, { data: [['1', '2', '3', '4', '5']] });
    const rows = await sql(connection, statement);
    expect(Object.entries(rows.rows[0] ?? {})).toEqual([
      ['n', '1'],
      ['n 2', '2'],
      ['__proto__', '3'],
      ['column 4', '4'],
      ['Total flights', '5'],
    ]);
    expect(rows.columns.map(({ annotation }) => annotation.title)).toEqual([
      'n',
      'n 2',
      '__proto__',
      'column 4',
      'Total flights',
    ]);
  });
});

describe('sql response stream', () => {
  it('reads the same rows for any chunks', async () => {
    const text = bytes(ndjson(first, { data: [['Zürich – 東京', '3']] }, { data: [['b', '4']] }));
    for (const size of [1, 2, 3, 7, 64, text.length]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      );
      const { connection } = connect(() => streamed(pieces));
      expect((await sql(connection, statement)).rows).toEqual([
        { carrier: 'Zürich – 東京', flights: '3' },
        { carrier: 'b', flights: '4' },
      ]);
    }
  });

  it('reads a last line without a line break', async () => {
    const { connection } = connect(() => new Response(ndjson(first, { data: [['a', '1']] }).trimEnd()));
    expect((await sql(connection, statement)).rows).toHaveLength(1);
  });

  it('reads 50,000 rows, reports that there are more, and cancels', async () => {
    const onCancel = vi.fn();
    const line = bytes(ndjson({ data: Array.from({ length: 1000 }, (_, index) => [`c${index}`, '1']) }));
    function* endless() {
      yield bytes(ndjson(first));
      for (;;) yield line;
    }
    const { connection } = connect(() => streamed(endless(), onCancel));
    const rows = await sql(connection, statement);
    expect(rows.rows).toHaveLength(50_000);
    expect(rows.truncated).toBe(true);
    expect(onCancel).toHaveBeenCalled();
  });

  it('does not report exactly 50,000 rows as cut off', async () => {
    const data = Array.from({ length: 50_000 }, () => ['c', '1']);
    const { connection } = answer(first, { data });
    expect((await sql(connection, statement)).truncated).toBe(false);
  });
});

describe('sql errors', () => {
  it('reports an error during the response without credentials', async () => {
    const { connection } = answer(first, { data: [['a', '1']] }, { error: 'division by zero for jwt-of-someone' });
    const error = await failure(sql(connection, statement));
    expect(error.code).toBe('server_failed');
    expect(error.message).toBe('division by zero for [removed]');
  });

  it('reports rejections of the service', async () => {
    const { connection } = connect(() => json({ error: 'unknown column x (line 1, column 8).', requestId: 'r' }, 400));
    expect(await failure(sql(connection, statement))).toMatchObject({
      status: 400,
      code: 'bad_request',
      requestId: 'r',
      message: 'unknown column x (line 1, column 8).',
    });
  });

  it.each([
    ['ends with an error', [bytes(ndjson(first)), new Error('reset')]],
    ['ends before a row', [bytes(ndjson(first))]],
    ['ends within a line', [bytes(ndjson(first)), bytes('{"data": [["a"')]],
    ['is empty', []],
  ])('treats a response that %s as a lost connection', async (_how, pieces) => {
    const { connection } = connect(() => streamed(pieces));
    expect((await failure(sql(connection, statement))).code).toBe('connection_failed');
  });

  it.each([
    ['rows before their schema', [{ data: [['a', '1']] }]],
    ['an invalid row', [first, { data: [{ secret: 1 }] }]],
    ['an invalid cell', [first, { data: [[{ secret: 1 }, '1']] }]],
    ['an unknown line', [first, { secret: 1 }]],
    ['a list', [first, ['secret']]],
  ])('rejects %s', async (_what, lines) => {
    const { connection } = answer(...lines);
    const error = await failure(sql(connection, statement));
    expect(error.code).toBe('invalid_response');
    expect(error.message).not.toContain('secret');
  });

  it('rejects an unlimited line', async () => {
    const onCancel = vi.fn();
    const piece = bytes('"'.padEnd(1024 * 1024, 'x'));
    function* endless() {
      for (;;) yield piece;
    }
    const { connection } = connect(() => streamed(endless(), onCancel));
    expect((await failure(sql(connection, statement))).code).toBe('invalid_response');
    expect(onCancel).toHaveBeenCalled();
  });
});
