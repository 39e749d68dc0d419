import { describe, expect, it } from 'vitest';
import { PaError, PaErrorCode } from '../../../src/client/errors.js';
import type { Query } from '../../../src/contract/query.js';
import type { RowSet } from '../../../src/contract/row-set.js';
import { RowsController } from '../../../src/controllers/rows/rows-controller.js';
import { SessionStatus } from '../../../src/controllers/session/session-context.js';
import { FakeSession } from '../../elements/fake-session.js';
import { FakeHost } from '../fake-host.js';

const rows: RowSet = { columns: [], rows: [{ 'flights.count': 7 }], truncated: false, lastRefreshTime: null };
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

async function loading() {
  const host = new FakeHost();
  const session = new FakeSession();
  const current: { query: Query | string | null } = { query: { measures: ['flights.count'] } };
  const controller = new RowsController(host, { query: () => current.query, session: () => session });
  host.connect();
  await settle();
  return { host, session, current, controller };
}

describe('RowsController', () => {
  it('waits without a query', async () => {
    const host = new FakeHost();
    const session = new FakeSession();
    const controller = new RowsController(host, { query: () => null, session: () => session });
    host.connect();
    await settle();
    expect([controller.status, controller.rows, controller.error]).toEqual(['waiting', null, null]);
  });

  it('loads rows, and does not load them again for an equal query', async () => {
    const { host, session, current, controller } = await loading();
    expect(controller.status).toBe('loading');
    session.calls[0]?.answer(rows);
    await settle();
    expect([controller.status, controller.rows]).toEqual(['ready', rows]);
    current.query = { measures: ['flights.count'] };
    host.requestUpdate();
    await settle();
    expect(session.calls).toHaveLength(1);
  });

  it('aborts the previous query, and drops its rows', async () => {
    const { host, session, current, controller } = await loading();
    current.query = 'SELECT 1';
    host.requestUpdate();
    await settle();
    expect(session.calls[0]?.signal?.aborted).toBe(true);
    expect(session.sqlCalls.map(({ text }) => text)).toEqual(['SELECT 1']);
    session.sqlCalls[0]?.answer(rows);
    await settle();
    expect(controller.rows).toBe(rows);
    current.query = null;
    host.requestUpdate();
    await settle();
    expect([controller.status, controller.rows]).toEqual(['waiting', null]);
  });

  it('reports an error, and keeps rows during a refresh', async () => {
    const { session, controller } = await loading();
    session.calls[0]?.fail(new PaError(PaErrorCode.badRequest, 'Unknown member.', { status: 400 }));
    await settle();
    expect([controller.status, controller.error?.message]).toEqual(['failed', 'Unknown member.']);
    const refreshed = controller.refresh();
    session.calls[1]?.answer(rows);
    await refreshed;
    void controller.refresh();
    await settle();
    expect([controller.status, controller.rows, controller.error]).toEqual(['loading', rows, null]);
  });

  it('keeps its rows when the session is renewed, and loads again for another identity', async () => {
    const { session, controller } = await loading();
    session.calls[0]?.answer(rows);
    await settle();
    session.emit({ type: 'expiring' });
    session.setStatus(SessionStatus.ready);
    await settle();
    expect([controller.status, session.calls.length]).toEqual(['ready', 1]);
    session.emit({ type: 'identity', identity: 'someone else' });
    await settle();
    expect([controller.rows, session.calls.length]).toEqual([null, 2]);
  });

  it('aborts its request and releases the session when the host leaves the page', async () => {
    const { host, session } = await loading();
    host.disconnect();
    await settle();
    expect([session.calls[0]?.signal?.aborted, session.listeners]).toEqual([true, 0]);
  });
});
