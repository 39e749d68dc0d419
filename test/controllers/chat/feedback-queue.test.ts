import { describe, expect, it } from 'vitest';
import type { ChatFeedback } from '../../../src/contract/chat.js';
import { FeedbackQueue } from '../../../src/controllers/chat/feedback-queue.js';
import { eventually } from '../../eventually.js';

const up: ChatFeedback = { rating: 'up' };
const down: ChatFeedback = { rating: 'down' };

/** Returns a queue over a service whose responses the test sends. */
function setting() {
  const requests: { id: string; feedback: ChatFeedback | null; succeed: () => void; fail: () => void }[] = [];
  const failures: unknown[] = [];
  const queue = new FeedbackQueue({
    store: (id, feedback) =>
      new Promise<void>((resolve, reject) => {
        requests.push({ id, feedback, succeed: resolve, fail: () => reject(new Error('no')) });
      }),
    onFailure: (id, stored) => failures.push([id, stored]),
  });
  const next = async (count: number) => {
    await eventually(() => expect(requests).toHaveLength(count));
    const request = requests.at(-1);
    if (!request) throw new Error('No request.');
    return request;
  };
  return { queue, requests, failures, next };
}

describe('FeedbackQueue', () => {
  it('sends the latest feedback after the one in flight, and skips those between', async () => {
    const { queue, requests, failures, next } = setting();
    const results = [queue.store('m', up, null)];
    const first = await next(1);
    results.push(queue.store('m', down, null), queue.store('m', null, null));
    first.succeed();
    (await next(2)).succeed();
    expect(await Promise.all(results)).toEqual([true, true, true]);
    expect(requests.map(({ feedback }) => feedback)).toEqual([up, null]);
    expect(failures).toEqual([]);
  });

  it('reports a failure once, with the feedback that the service has', async () => {
    const { queue, failures, next } = setting();
    const results = [queue.store('m', up, null)];
    const first = await next(1);
    results.push(queue.store('m', down, null));
    first.succeed();
    (await next(2)).fail();
    expect(await Promise.all(results)).toEqual([false, false]);
    expect(failures).toEqual([['m', up]]);
  });

  it('sends newer feedback after a failure', async () => {
    const { queue, failures, next } = setting();
    const result = queue.store('m', up, down);
    const first = await next(1);
    void queue.store('m', null, down);
    first.fail();
    (await next(2)).succeed();
    expect(await result).toBe(true);
    expect(failures).toEqual([]);
  });

  it('stores the feedback on several messages at once', async () => {
    const { queue, requests, next } = setting();
    const results = [queue.store('a', up, null), queue.store('b', down, null)];
    await next(2);
    for (const { succeed } of requests) succeed();
    expect(await Promise.all(results)).toEqual([true, true]);
  });
});
