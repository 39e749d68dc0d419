import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LineWriter, queryLogLine } from '../../../src/cli/server/query-log.js';
import type { QueryEvent } from '../../../src/platform/index.js';
import { eventually } from '../../eventually.js';

const event: QueryEvent = {
  event: 'query',
  time: '2001-01-01T00:00:00.000Z',
  requestId: 'abc-1',
  operation: 'load',
  status: 200,
  outcome: 'ok',
  cache: null,
  rows: 3,
  queueMs: 0,
  compileMs: 1.25,
  engineMs: 4,
  serializeMs: 0.5,
  totalMs: 6,
};

test('an event is one line of JSON with all of its fields', () => {
  expect(queryLogLine(event)).not.toContain('\n');
  expect(JSON.parse(queryLogLine(event))).toEqual(event);
});

test('unknown fields of an event are not logged', () => {
  const more = { ...event, sql: 'SELECT secret', token: 'secret', parameters: ['secret'], query: { status: 'secret' } };
  expect(queryLogLine(more)).toBe(queryLogLine(event));
});

/** Reader that accepts a batch when the test allows it. */
class SlowReader extends Writable {
  readonly batches: string[] = [];
  #take: (() => void) | undefined;

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    this.batches.push(chunk.toString());
    this.#take = done;
  }

  async take(): Promise<void> {
    this.#take?.();
    await new Promise(process.nextTick);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

test('lines are batched for a moment', () => {
  const reader = new SlowReader();
  const writer = new LineWriter(reader);
  writer.write('one');
  writer.write('two');
  vi.advanceTimersByTime(99);
  expect(reader.batches).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reader.batches).toEqual(['one\ntwo\n']);
});

test('a full batch is written immediately', () => {
  const reader = new SlowReader();
  const writer = new LineWriter(reader, { flushAt: 8 });
  writer.write('one');
  expect(reader.batches).toEqual([]);
  writer.write('two');
  expect(reader.batches).toEqual(['one\ntwo\n']);
});

test('a slow reader receives the remaining lines as the next batch', async () => {
  const reader = new SlowReader();
  const writer = new LineWriter(reader, { flushAt: 1 });
  for (const line of ['one', 'two', 'three']) writer.write(line);
  vi.advanceTimersByTime(1000);
  expect(reader.batches).toEqual(['one\n']);
  await reader.take();
  await eventually(() => expect(reader.batches).toEqual(['one\n', 'two\nthree\n']));
});

test('lines beyond the buffer limit are dropped and counted', async () => {
  const reader = new SlowReader();
  const writer = new LineWriter(reader, { flushAt: 1, limit: 10 });
  for (let line = 0; line < 1000; line++) writer.write(`${line}`.padStart(4, '0'));
  expect(reader.batches).toEqual(['0000\n']);
  expect(reader.writableLength).toBeLessThan(10);
  await reader.take();
  await eventually(() => expect(reader.batches).toHaveLength(2));
  expect(reader.batches[1]).toBe('0001\n0002\n{"event":"dropped","count":997}\n');
  writer.write('next');
  await reader.take();
  await eventually(() => expect(reader.batches[2]).toBe('next\n'));
});

test('close writes the buffered lines while the reader accepts them', async () => {
  const reader = new SlowReader();
  const writer = new LineWriter(reader, { flushAt: 1 });
  writer.write('one');
  writer.write('two');
  const closed = writer.close(1000);
  await reader.take();
  await eventually(() => expect(reader.batches).toEqual(['one\n', 'two\n']));
  await reader.take();
  await closed;
});

test('close does not wait for a blocked reader beyond its limit', async () => {
  vi.useRealTimers();
  const writer = new LineWriter(new SlowReader());
  writer.write('one');
  await writer.close(10);
});

test('a closed reader stops the writer but not the process', async () => {
  const reader = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const writer = new LineWriter(reader, { flushAt: 1 });
  writer.write('one');
  await new Promise(resolve => reader.once('close', resolve));
  for (let line = 0; line < 1000; line++) writer.write('more');
  await writer.close(1000);
  expect(reader.destroyed).toBe(true);
});
