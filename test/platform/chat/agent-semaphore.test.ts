import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentSemaphore } from '../../../src/platform/chat/agent-semaphore.js';
import { gate } from './fake-agent.js';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const never = new AbortController().signal;

/** Acquires slots for agents and records when they start. */
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

test('runs a limited number of agents in FIFO order', async () => {
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

test('starts no agent while a message is being accepted, even if it is rejected', async () => {
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

test('delays an agent no longer than the limit, even if messages never end', async () => {
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

test('skips a canceled waiter and starts the next one', async () => {
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
