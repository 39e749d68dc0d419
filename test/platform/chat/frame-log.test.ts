import { describe, expect, test } from 'vitest';
import type { ChatFrame } from '../../../src/contract/chat.js';
import { FrameLog } from '../../../src/platform/chat/frame-log.js';
import { Reducer } from './chat-database.js';

const never = new AbortController().signal;
const loose = { start: 100, loosePieces: 1_000, looseCharacters: 1_000_000 };

const echo: ChatFrame = { id: 'm', role: 'user', content: 'q', isDelta: false, sort: 0 };
const piece = (id: string, content: string): ChatFrame => ({
  id,
  role: 'assistant',
  content,
  isDelta: true,
  isInProcess: true,
  sort: Number(id),
});
const whole = (id: string, content: string): ChatFrame => ({
  ...piece(id, content),
  isDelta: false,
  isInProcess: false,
});

async function rest(log: FrameLog, after = 0): Promise<[number, string | undefined][]> {
  const found: [number, string | undefined][] = [];
  for await (const { place, frame } of log.read(after, never)) found.push([place, frame.content]);
  return found;
}

/** Assembles the frames up to a position of the full log, followed by the frames that the log returns after it. */
async function resumed(full: readonly ChatFrame[], log: FrameLog, place: number) {
  const reducer = new Reducer();
  for (const frame of full.slice(0, place)) reducer.add(frame);
  for await (const { frame } of log.read(100 + place, never)) reducer.add(frame);
  return reducer.thread;
}

describe('FrameLog', () => {
  test('returns every frame once and in order, to waiting and to late readers', async () => {
    const log = new FrameLog(loose);
    const waiting = rest(log);
    for (const frame of [echo, piece('1', 'a'), whole('1', 'a')]) {
      log.append(frame);
      await Promise.resolve();
    }
    await new Promise(resolve => setImmediate(resolve));
    log.end();
    expect(await waiting).toEqual([
      [101, 'q'],
      [102, 'a'],
      [103, 'a'],
    ]);
    expect(await rest(log, 102)).toEqual([[103, 'a']]);
    expect(await rest(log, 103)).toEqual([]);
  });

  test('recognizes only its own positions', () => {
    const log = new FrameLog(loose);
    log.append(echo);
    expect([99, 100, 101, 102].map(place => log.has(place))).toEqual([false, false, true, false]);
  });

  test('merges chunks beyond the limit, so that a text block uses only as much memory as its content', () => {
    const log = new FrameLog({ ...loose, loosePieces: 100, looseCharacters: 50 });
    for (let n = 0; n < 10_000; n += 1) log.append(piece('1', 'abc'));
    expect(log.size).toBe(30_000);
    expect(log.snapshot()).toMatchObject([{ isDelta: false, isInProcess: true, content: 'abc'.repeat(10_000) }]);
    log.append(whole('1', 'abc'));
    log.append(piece('2', 'x'));
    log.compact();
    expect(log.size).toBe(4);
  });

  test('yields the same result from any position, regardless of when chunks are merged', async () => {
    const tool = { id: '3', role: 'assistant', sort: 3, isDelta: false } as const;
    const full: ChatFrame[] = [
      echo,
      piece('1', 'a'),
      { ...piece('1', ''), thinking: 'hm' },
      piece('2', 'x'),
      piece('1', 'b'),
      whole('1', 'ab!'),
      { ...tool, isInProcess: true, toolCall: { name: 't' } },
      piece('2', 'y'),
      { ...tool, isInProcess: false, toolCall: { name: 't', result: '1' } },
      piece('2', 'z'),
      { error: 'oh' },
    ];
    const expected = new Reducer();
    for (const frame of full) expected.add(frame);
    for (let compactedAfter = 0; compactedAfter <= full.length; compactedAfter += 1) {
      const log = new FrameLog(loose);
      for (const [n, frame] of full.entries()) {
        log.append(frame);
        if (n + 1 === compactedAfter) log.compact();
      }
      log.end();
      for (let place = 0; place <= full.length; place += 1) {
        expect(await resumed(full, log, place)).toEqual(expected.thread);
      }
    }
  });

  test('releases a waiting reader that disconnects', async () => {
    const log = new FrameLog(loose);
    const leave = new AbortController();
    const next = log.read(0, leave.signal).next();
    leave.abort();
    expect(await next).toMatchObject({ done: true });
  });
});
