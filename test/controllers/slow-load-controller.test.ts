import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SlowLoadController } from '../../src/controllers/slow-load-controller.js';
import { FakeHost } from './fake-host.js';

async function setting() {
  const host = new FakeHost();
  const under = { since: null as number | null };
  const slow = new SlowLoadController(host, () => under.since);
  const begin = async (since: number | null) => {
    under.since = since;
    host.requestUpdate();
    await host.updateComplete;
  };
  host.connect();
  await host.updateComplete;
  return { host, slow, begin };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('SlowLoadController', () => {
  it('reports the start of an operation after 3 s', async () => {
    const { host, slow, begin } = await setting();
    const since = performance.now();
    await begin(since);
    const updates = host.updates;
    await vi.advanceTimersByTimeAsync(2999);
    expect(slow.slowSince).toBeNull();
    expect(host.updates).toBe(updates);
    await vi.advanceTimersByTimeAsync(1);
    expect(slow.slowSince).toBe(since);
    expect(host.updates).toBe(updates + 1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not report operations that finish earlier', async () => {
    const { host, slow, begin } = await setting();
    await begin(performance.now());
    await vi.advanceTimersByTimeAsync(2000);
    await begin(null);
    const updates = host.updates;
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(5000);
    expect(slow.slowSince).toBeNull();
    expect(host.updates).toBe(updates);
  });

  it('restarts its timer for a new operation', async () => {
    const { slow, begin } = await setting();
    await begin(performance.now());
    await vi.advanceTimersByTimeAsync(2000);
    const since = performance.now();
    await begin(since);
    await vi.advanceTimersByTimeAsync(2999);
    expect(slow.slowSince).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(slow.slowSince).toBe(since);
  });

  it('continues when its host is moved, and leaves no timer when it has left', async () => {
    const { host, slow, begin } = await setting();
    const since = performance.now();
    await begin(since);
    await vi.advanceTimersByTimeAsync(2000);
    host.disconnect();
    expect(vi.getTimerCount()).toBe(0);
    host.connect();
    await vi.advanceTimersByTimeAsync(1000);
    expect(slow.slowSince).toBe(since);
    host.disconnect();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('updates the host even if the time limit is reached during an update', async () => {
    const { host, slow, begin } = await setting();
    const drawn: (number | null)[] = [];
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    host.addController({
      hostUpdate() {
        drawn.push(slow.slowSince);
        if (now - since > 2900) now = since + 3050;
      },
    });
    const since = now;
    await begin(since);
    now = since + 2990;
    host.requestUpdate();
    await host.updateComplete;
    await vi.advanceTimersByTimeAsync(3000);
    expect(drawn.at(-1)).toBe(since);
    clock.mockRestore();
  });
});
