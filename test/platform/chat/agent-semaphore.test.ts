import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentSemaphore } from '../../../src/platform/chat/agent-semaphore.js';
import { gate } from './fake-agent.js';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const never = new AbortController().signal;

/** Takes turns for agents, which note that they have begun. */
function start(options = { atOnce: 2, yieldFor: 100 }) {
  const turns = new AgentSemaphore(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = async (name: string, signal = never) => {
    const end = await turns.take(signal);
    if (!end) return begun.push(`not ${name}`);
    ends.set(name, end);
    return begun.push(name);
  };
  return { turns, begun, take, end: (name: string) => ends.get(name)?.() };
}

test('so many agents work at once, first come first served', async () => {
  const { begun, take, end } = start();
  for (const name of ['a', 'b', 'c', 'd']) void take(name);
  expect(begun).toEqual([]);
  await vi.advanceTimersByTimeAsync(10);
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await vi.advanceTimersByTimeAsync(10);
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await vi.advanceTimersByTimeAsync(10);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('none begins while a message is taken in, be that in vain', async () => {
  const { turns, begun, take } = start();
  const { opened, open } = gate();
  const arriving = turns.accept(async () => {
    await opened;
    throw new Error('refused');
  });
  const refused = expect(arriving).rejects.toThrow('refused');
  void take('a');
  await vi.advanceTimersByTimeAsync(99);
  expect(begun).toEqual([]);
  open();
  await refused;
  await vi.advanceTimersByTimeAsync(2);
  expect(begun).toEqual(['a']);
});

test('messages without end hold no agent back for longer than the limit', async () => {
  const { turns, begun, take } = start();
  void turns.accept(() => new Promise(() => {}));
  void take('a');
  await vi.advanceTimersByTimeAsync(50);
  void take('b');
  await vi.advanceTimersByTimeAsync(51);
  expect(begun).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(50);
  expect(begun).toEqual(['a', 'b']);
});

test('whoever is stopped while waiting leaves the place to the next', async () => {
  const { begun, take, end } = start({ atOnce: 1, yieldFor: 100 });
  const stopped = new AbortController();
  void take('a');
  void take('b', stopped.signal);
  void take('c');
  await vi.advanceTimersByTimeAsync(10);
  stopped.abort();
  await take('d', AbortSignal.abort());
  expect(begun).toEqual(['a', 'not b', 'not d']);
  end('a');
  await vi.advanceTimersByTimeAsync(10);
  expect(begun).toEqual(['a', 'not b', 'not d', 'c']);
  expect(vi.getTimerCount()).toBe(0);
});
