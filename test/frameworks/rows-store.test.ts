import { expect, it } from 'vitest';
import type { RowSet } from '../../src/contract/row-set.js';
import { RowsStore } from '../../src/frameworks/react/rows-store.js';
import { FakeSession } from '../elements/fake-session.js';

const rows: RowSet = { columns: [], rows: [{ 'flights.count': 7 }], truncated: false, lastRefreshTime: null };
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

it('never returns rows of an identity that ended while the component was hidden', async () => {
  const store = new RowsStore();
  const session = new FakeSession();
  store.useSession(session);
  store.useQuery({ measures: ['flights.count'] });
  const disconnect = store.connect();
  await settle();
  session.calls[0]?.answer(rows);
  await settle();
  disconnect();
  await settle();
  expect(store.read().rows).toBe(rows);
  session.emit({ type: 'identity', identity: 'someone else' });
  const result = store.read();
  expect(result).toMatchObject({ status: 'waiting', rows: null });
  expect(store.read()).toBe(result);
  store.connect();
  await settle();
  expect(store.read().status).toBe('loading');
  session.calls[1]?.answer(rows);
  await settle();
  expect(store.read()).toMatchObject({ status: 'ready', rows });
});
