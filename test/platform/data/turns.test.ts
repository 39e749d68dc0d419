import { expect, it } from 'vitest';
import { Turns } from '../../../src/platform/data/turns.js';

it('turns come one after another, each in its own round of the event loop', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const taken = ['a', 'b'].map(name => turns.next().then(() => seen.push(name)));
  await new Promise<void>(resolve => setImmediate(resolve));
  expect(seen.length).toBeLessThan(2);
  await Promise.all(taken);
  expect(seen).toEqual(['a', 'b']);
});

it('no turn is given to work that nobody wants any more', async () => {
  const leaving = new AbortController();
  const turn = new Turns(leaving.signal).next();
  leaving.abort();
  await expect(turn).rejects.toMatchObject({ status: 499 });
});
