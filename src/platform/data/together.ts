import { ContinueWait } from './continue-wait.js';

/**
 * All values, once everything has settled, so that nothing is left behind.
 * @throws the first failure; a wait where there is no other.
 */
export async function together<T extends readonly unknown[] | []>(
  calls: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const settled = await Promise.allSettled(calls);
  const reasons: unknown[] = settled.flatMap(one => (one.status === 'rejected' ? [one.reason] : []));
  if (reasons.length > 0) throw reasons.find(reason => !(reason instanceof ContinueWait)) ?? reasons[0];
  return Promise.all(calls);
}
