import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LineWriter, queryLogLine } from '../../../src/cli/server/query-log.js';
import type { QueryEvent } from '../../../src/platform/index.js';
import { soon } from '../../soon.js';

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

test('a request is one line of JSON with every field of its event', () => {
  expect(queryLogLine(event)).not.toContain('\n');
  expect(JSON.parse(queryLogLine(event))).toEqual(event);
});

test('nothing stands in a line that is no field of an event', () => {
  const more = { ...event, sql: 'SELECT secret', token: 'secret', parameters: ['secret'], query: { status: 'secret' } };
  expect(queryLogLine(more)).toBe(queryLogLine(event));
});

/** A reader that takes a batch when it is told to. */
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

test('lines are written together, a moment later', () => {
  const reader = new SlowReader();
  const writer = new LineWriter(reader);
  writer.write('one');
  writer.write('two');
  vi.advanceTimersByTime(99);
  expect(reader.batches).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reader.batches).toEqual(['one\ntwo\n']);
});

test('a full batch is written at once', () => {
  const reader = new SlowReader();
  const writer = new LineWriter(reader, { flushAt: 8 });
  writer.write('one');
  expect(reader.batches).toEqual([]);
  writer.write('two');
  expect(reader.batches).toEqual(['one\ntwo\n']);
});

test('a slow reader gets the rest when it has taken what it has', async () => {
  const reader = new SlowReader();
  const writer = new LineWriter(reader, { flushAt: 1 });
  for (const line of ['one', 'two', 'three']) writer.write(line);
  vi.advanceTimersByTime(1000);
  expect(reader.batches).toEqual(['one\n']);
  await reader.take();
  await soon(() => expect(reader.batches).toEqual(['one\n', 'two\nthree\n']));
});

test('what a slow reader leaves no room for is dropped and counted', async () => {
  const reader = new SlowReader();
  const writer = new LineWriter(reader, { flushAt: 1, limit: 10 });
  for (let line = 0; line < 1000; line++) writer.write(`${line}`.padStart(4, '0'));
  expect(reader.batches).toEqual(['0000\n']);
  expect(reader.writableLength).toBeLessThan(10);
  await reader.take();
  await soon(() => expect(reader.batches).toHaveLength(2));
  expect(reader.batches[1]).toBe('0001\n0002\n{"event":"dropped","count":997}\n');
  writer.write('next');
  await reader.take();
  await soon(() => expect(reader.batches[2]).toBe('next\n'));
});

test('closing writes what waits, for as long as the reader takes it', async () => {
  const reader = new SlowReader();
  const writer = new LineWriter(reader, { flushAt: 1 });
  writer.write('one');
  writer.write('two');
  const closed = writer.close(1000);
  await reader.take();
  await soon(() => expect(reader.batches).toEqual(['one\n', 'two\n']));
  await reader.take();
  await closed;
});

test('closing does not wait for a reader that takes nothing', async () => {
  vi.useRealTimers();
  const writer = new LineWriter(new SlowReader());
  writer.write('one');
  await writer.close(10);
});

test('a reader that is gone ends the writing, not the process', async () => {
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
