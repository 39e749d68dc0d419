import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchOrFail, withDeadline } from '../../../src/client/http/fetch.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('withDeadline', () => {
  it('passes on results and failures, and leaves no timers or listeners', async () => {
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const limits = { timeoutMs: 100, signals: [controller.signal, undefined], what: 'It' };
    await expect(withDeadline(limits, async () => 7)).resolves.toBe(7);
    await expect(withDeadline(limits, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(removed).toHaveBeenCalledTimes(2);
  });

  it('does not wait for work that ignores its signal', async () => {
    const work = withDeadline({ timeoutMs: 100, signals: [], what: 'It' }, () => new Promise(() => {}));
    const refused = expect(work).rejects.toThrow('It did not respond within 100 ms.');
    await vi.advanceTimersByTimeAsync(100);
    await refused;
  });
});

describe('fetchOrFail', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /: its TLS certificate is self-signed .*\. Set NODE_EXTRA_CA_CERTS to .*\.$/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /from an unknown authority/],
    ['CERT_HAS_EXPIRED', /: its TLS certificate has expired\. Renew it\.$/],
    ['CERT_NOT_YET_VALID', /is not valid yet\. Check the clock/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /is for another name\. Use a URL with a name of the certificate\.$/],
    ['ECONNREFUSED', /: check the URL and the network, and that the server is running\.$/],
    [undefined, /: check the URL, the network and the allowed origins\.$/],
  ])('says what to do for %s, without the original message', async (code, message) => {
    const fetcher = () =>
      Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('secret'), { code }) }));
    const failed = fetchOrFail(fetcher, 'https://x.example', {}, 'The platform');
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.not.toThrow(/secret/);
  });
});
