import { describe, expect, it, vi } from 'vitest';
import { type FakeService, json, publicId, query } from '../fake-service.js';
import { eachWithSession, exchangeRoute, mintRoute, type SessionHarness, settle } from './session-harness.js';

let harness: SessionHarness;
let service: FakeService;

eachWithSession(fresh => {
  harness = fresh;
  service = fresh.service;
});

describe('renewal', () => {
  it('renews before the expiry, preserves all data, and announces the expiry', async () => {
    const source = harness.open();
    await source.getDashboard(publicId, {});
    const identity = source.identity;
    harness.events.length = 0;
    await vi.advanceTimersByTimeAsync(23 * 3_600_000);
    expect(service.mints).toBe(2);
    expect(harness.types()).toEqual(['expiring']);
    expect(source.identity).toBe(identity);
    expect(source.status).toBe('ready');
  });

  it('uses the new token afterwards and the same data', async () => {
    const source = harness.open();
    await source.load(query, {});
    await vi.advanceTimersByTimeAsync(23 * 3_600_000);
    await source.getDashboard(publicId, {});
    const [first] = service.to('/api/v1/deployments/1');
    const [later] = service.to(`/api/v1/embed/dashboard/${publicId}`);
    expect(later?.authorization).not.toBe(first?.authorization);
    expect(service.to('/api/v1/deployments/1')).toHaveLength(1);
  });

  it('retries with growing pauses, expires with the token, and is ready again on success', async () => {
    service.lifetime = 600;
    const source = harness.open();
    await source.start();
    const works = service.routes.get(mintRoute);
    service.routes.set(mintRoute, () => json({}, 503));
    harness.events.length = 0;
    await vi.advanceTimersByTimeAsync(540_000);
    expect(service.mints).toBe(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(service.mints).toBe(3);
    await vi.advanceTimersByTimeAsync(1999);
    expect(service.mints).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(service.mints).toBe(4);
    expect(harness.types()).toEqual(['expiring']);
    await vi.advanceTimersByTimeAsync(57_000);
    expect(source.status).toBe('expired');
    if (works) service.routes.set(mintRoute, works);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(source.status).toBe('ready');
    expect(harness.statuses()).toEqual(['expired', 'ready']);
  });

  it('stops retrying after ten failures until the page wakes it', async () => {
    const source = harness.open();
    await source.start();
    service.routes.set(mintRoute, () => json({}, 503));
    await vi.advanceTimersByTimeAsync(23 * 3_600_000);
    await vi.advanceTimersByTimeAsync(50 * 60_000);
    expect(service.mints).toBe(12);
    source.wake();
    await settle();
    expect(service.mints).toBe(13);
  });

  it('renews when the page comes to the foreground near the expiry, and not before', async () => {
    const source = harness.open();
    await source.start();
    source.wake();
    await settle();
    expect(service.mints).toBe(1);
    vi.setSystemTime(Date.now() + 23.5 * 3_600_000);
    source.wake();
    source.wake();
    await settle();
    expect(service.mints).toBe(2);
  });

  it('computes the lifetime of a token from its own claims, regardless of the clock', async () => {
    const source = harness.open({ session: async () => service.nextSessionId() });
    service.lifetime = 1000;
    const token = service.nextToken();
    vi.setSystemTime(Date.now() + 7_200_000);
    service.routes.set(exchangeRoute, () => json({ token }));
    await source.start();
    await vi.advanceTimersByTimeAsync(899_000);
    expect(source.status).toBe('ready');
    expect(service.exchanges).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(service.exchanges).toBe(2);
  });

  it('does not renew repeatedly if a token is already expired', async () => {
    service.lifetime = -5;
    const source = harness.open();
    await source.start();
    await vi.advanceTimersByTimeAsync(8999);
    expect(service.mints).toBe(1);
  });

  it('does not retry if the host rejects the user, and reports the error', async () => {
    const source = harness.open();
    await source.start();
    service.routes.set(mintRoute, () => json({}, 401));
    harness.events.length = 0;
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(service.mints).toBe(2);
    expect(harness.types()).toEqual(['expiring', 'error', 'status']);
    expect(source.status).toBe('expired');
  });
});
