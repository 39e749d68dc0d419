import { afterEach, describe, expect, it, vi } from 'vitest';
import { PaAbortError, PaConnectionError, PaError } from '../../src/client/errors.js';
import { LoadController } from '../../src/controllers/load-controller.js';
import { SessionStatus } from '../../src/controllers/session/session-context.js';
import { FakeSession } from '../elements/fake-session.js';
import { FakeHost } from './fake-host.js';

interface Call {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly answer: (value: string) => void;
  readonly fail: (error: unknown) => void;
}

function setting(key: string | null = 'a') {
  const host = new FakeHost();
  const session = new FakeSession();
  const calls: Call[] = [];
  const onProblem = vi.fn();
  const asked = { key, source: session as FakeSession | null };
  const controller = new LoadController<string, string>(host, {
    source: () => asked.source,
    key: () => asked.key,
    load: (_source, wanted, signal) =>
      new Promise((answer, fail) => {
        calls.push({ key: wanted, signal, answer, fail });
        signal.addEventListener('abort', () => fail(new PaAbortError()));
      }),
    isCompatible: (loaded, wanted) => loaded.includes(' ') && loaded[0] === wanted[0],
    onProblem,
  });
  const call = (index: number): Call => {
    const found = calls[index];
    if (!found) throw new Error(`there is no call ${index}`);
    return found;
  };
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve));
  };
  return { host, session, calls, call, asked, controller, onProblem, settle };
}

describe('LoadController', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('waits while nothing is asked for, or there is no session', async () => {
    const { host, controller, calls, asked, settle } = setting(null);
    host.connect();
    await settle();
    asked.key = 'a';
    asked.source = null;
    host.requestUpdate();
    await settle();
    expect(controller.state).toEqual({ status: 'waiting' });
    expect(calls).toEqual([]);
  });

  it('loads once what is asked for', async () => {
    const { host, controller, calls, call, settle } = setting();
    host.connect();
    await settle();
    expect(controller.state).toEqual({ status: 'loading', value: null });
    call(0).answer('rows');
    await settle();
    host.requestUpdate();
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'rows' });
    expect(calls.length).toBe(1);
  });

  it('lets the latest call win and aborts the one before', async () => {
    const { host, controller, call, asked, settle } = setting();
    host.connect();
    await settle();
    asked.key = 'b';
    host.requestUpdate();
    await settle();
    expect(call(0).signal.aborted).toBe(true);
    call(1).answer('b rows');
    call(0).answer('a rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'b rows' });
  });

  it('keeps the value while the same is loaded again, and drops it for something else', async () => {
    const { host, controller, call, asked, settle } = setting();
    host.connect();
    await settle();
    call(0).answer('rows');
    await settle();
    void controller.reload();
    expect(controller.state).toEqual({ status: 'loading', value: 'rows' });
    call(1).answer('newer rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'newer rows' });
    asked.key = 'b';
    host.requestUpdate();
    await settle();
    expect(controller.state).toEqual({ status: 'loading', value: null });
  });

  it('keeps what may stand for what is asked for, until that is there', async () => {
    const { host, controller, call, asked, settle } = setting('a 1');
    host.connect();
    await settle();
    call(0).answer('rows');
    await settle();
    asked.key = 'a 2';
    host.requestUpdate();
    await settle();
    expect(controller.state).toEqual({ status: 'loading', value: 'rows' });
    controller.stop();
    expect(controller.state).toEqual({ status: 'stopped', value: null });
    asked.key = 'a 3';
    host.requestUpdate();
    await settle();
    call(2).answer('other rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'other rows' });
    asked.key = 'b 1';
    host.requestUpdate();
    await settle();
    expect(controller.state).toEqual({ status: 'loading', value: null });
  });

  it('tells of a failure once, and loads again when asked', async () => {
    const { host, controller, call, onProblem, settle } = setting();
    host.connect();
    await settle();
    call(0).fail(new PaError('not_allowed', 'Not allowed.', { status: 403, requestId: 'r' }));
    await settle();
    const problem = { kind: 'denied', code: 'not_allowed', status: 403, requestId: 'r', message: 'Not allowed.' };
    expect(controller.state).toEqual({ status: 'failed', problem });
    expect(onProblem.mock.calls).toEqual([[problem]]);
    void controller.reload();
    await settle();
    call(1).answer('rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'rows' });
  });

  it('keeps the words of an unknown error to itself', async () => {
    const { host, controller, call, settle } = setting();
    host.connect();
    await settle();
    call(0).fail(new TypeError('cannot read 4711 of Jane Doe'));
    await settle();
    expect(JSON.stringify(controller.state)).not.toContain('Jane');
  });

  it('runs again what the session broke off, when the session is ready', async () => {
    const { host, session, controller, calls, call, onProblem, settle } = setting();
    host.connect();
    await settle();
    session.suspend();
    call(0).fail(new PaAbortError());
    await settle();
    expect(onProblem).not.toHaveBeenCalled();
    expect(controller.state.status).toBe('loading');
    session.become(SessionStatus.ready);
    await settle();
    expect(calls.length).toBe(2);
  });

  it('runs again what the session broke off, though that is told when the session is ready again', async () => {
    const { host, session, controller, calls, call, settle } = setting();
    host.connect();
    await settle();
    session.suspend();
    session.become(SessionStatus.ready);
    await settle();
    expect(calls.length).toBe(1);
    call(0).fail(new PaAbortError());
    await settle();
    expect(calls.length).toBe(2);
    call(1).answer('rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'rows' });
  });

  it('runs again what failed without a session, when there is one', async () => {
    const { host, session, calls, call, settle } = setting();
    host.connect();
    await settle();
    call(0).fail(new PaConnectionError('no answer'));
    await settle();
    session.become(SessionStatus.ready);
    await settle();
    expect(calls.length).toBe(2);
  });

  it('runs again what failed offline, when the network is back', async () => {
    const { host, session, calls, call, settle } = setting();
    vi.stubGlobal('navigator', { onLine: false });
    host.connect();
    await settle();
    call(0).fail(new PaConnectionError('no answer'));
    await settle();
    session.emit({ type: 'wake' });
    await settle();
    expect(calls.length).toBe(2);
    call(1).answer('rows');
    await settle();
    session.emit({ type: 'wake' });
    await settle();
    expect(calls.length).toBe(2);
  });

  it('leaves what failed for another reason as it is, when the page wakes', async () => {
    const { host, session, calls, call, settle } = setting();
    host.connect();
    await settle();
    call(0).fail(new PaError('bad_request', 'Wrong.', { status: 400 }));
    await settle();
    session.emit({ type: 'wake' });
    await settle();
    expect(calls.length).toBe(1);
  });

  it('forgets at once what belonged to another identity', async () => {
    const { host, session, controller, calls, call, settle } = setting();
    host.connect();
    await settle();
    call(0).answer('rows');
    await settle();
    session.emit({ type: 'identity', identity: 'another' });
    expect(JSON.stringify(controller.state)).not.toContain('rows');
    await settle();
    expect(calls.length).toBe(2);
  });

  it('shows no answer that was asked for in another name', async () => {
    const { host, session, controller, call, settle } = setting();
    host.connect();
    await settle();
    call(0).answer('rows');
    session.emit({ type: 'identity', identity: 'another' });
    await settle();
    expect(JSON.stringify(controller.state)).not.toContain('rows');
    call(1).answer('own rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'own rows' });
  });

  it('asks for nothing after the end of the session, until it is ready again', async () => {
    const { host, session, controller, calls, call, onProblem, settle } = setting();
    host.connect();
    await settle();
    call(0).answer('rows');
    await settle();
    session.end();
    await settle();
    expect(JSON.stringify(controller.state)).not.toContain('rows');
    expect(calls.length).toBe(1);
    expect(onProblem).not.toHaveBeenCalled();
    session.become(SessionStatus.ready);
    await settle();
    expect(calls.length).toBe(2);
  });

  it('goes on when its host is moved', async () => {
    const { host, controller, calls, call, settle } = setting();
    host.connect();
    await settle();
    host.disconnect();
    host.connect();
    await settle();
    expect(call(0).signal.aborted).toBe(false);
    call(0).answer('rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'rows' });
    expect(calls.length).toBe(1);
  });

  it('calls off when its host leaves, and loads again when it is back', async () => {
    const { host, session, calls, call, settle } = setting();
    host.connect();
    await settle();
    host.disconnect();
    await settle();
    expect(call(0).signal.aborted).toBe(true);
    expect(session.listeners).toBe(0);
    host.connect();
    await settle();
    expect(calls.length).toBe(2);
    expect(session.listeners).toBe(1);
  });

  it('returns to where it began after 100 times of coming and going', async () => {
    const { host, session, settle } = setting();
    for (let cycle = 0; cycle < 100; cycle += 1) {
      host.connect();
      await settle();
      host.disconnect();
      await settle();
    }
    expect(session.listeners).toBe(0);
  });

  it('says since when a call is under way', async () => {
    const { host, controller, call, settle } = setting();
    expect(controller.runningSince).toBeNull();
    const before = performance.now();
    host.connect();
    await settle();
    expect(controller.runningSince).toBeGreaterThanOrEqual(before);
    expect(controller.runningSince).toBeLessThanOrEqual(performance.now());
    call(0).answer('rows');
    await settle();
    expect(controller.runningSince).toBeNull();
  });

  it('calls off what is under way when it is stopped, and keeps what stood before', async () => {
    const { host, controller, call, onProblem, settle } = setting();
    host.connect();
    await settle();
    controller.stop();
    expect(controller.state).toEqual({ status: 'stopped', value: null });
    expect(call(0).signal.aborted).toBe(true);
    expect(controller.runningSince).toBeNull();
    void controller.reload();
    await settle();
    call(1).answer('rows');
    await settle();
    void controller.reload();
    controller.stop();
    await settle();
    expect(controller.state).toEqual({ status: 'stopped', value: 'rows' });
    expect(onProblem).not.toHaveBeenCalled();
    await controller.settled();
  });

  it('shows no answer that comes after it was stopped', async () => {
    const { host, controller, call, settle } = setting();
    host.connect();
    await settle();
    call(0).answer('rows');
    controller.stop();
    await settle();
    expect(controller.state).toEqual({ status: 'stopped', value: null });
  });

  it('stays stopped when the session or its host comes back, and loads something else', async () => {
    const { host, session, controller, calls, asked, settle } = setting();
    host.connect();
    await settle();
    controller.stop();
    host.disconnect();
    await settle();
    host.connect();
    session.become(SessionStatus.ready);
    session.emit({ type: 'wake' });
    await settle();
    expect(calls.length).toBe(1);
    expect(controller.state.status).toBe('stopped');
    asked.key = 'b';
    host.requestUpdate();
    await settle();
    expect(calls.length).toBe(2);
    expect(controller.state.status).toBe('loading');
  });

  it('forgets what it was stopped with when the identity changes', async () => {
    const { host, session, controller, calls, call, settle } = setting();
    host.connect();
    await settle();
    call(0).answer('rows');
    await settle();
    void controller.reload();
    controller.stop();
    session.emit({ type: 'identity', identity: 'another' });
    expect(JSON.stringify(controller.state)).not.toContain('rows');
    await settle();
    expect(calls.length).toBe(3);
  });

  it('has nothing to stop while nothing is under way', async () => {
    const { host, controller, call, settle } = setting();
    controller.stop();
    expect(controller.state).toEqual({ status: 'waiting' });
    host.connect();
    await settle();
    call(0).answer('rows');
    await settle();
    controller.stop();
    expect(controller.state).toEqual({ status: 'ready', value: 'rows' });
  });

  it('says when it has come to rest', async () => {
    const { host, controller, call, settle } = setting();
    const rest = vi.fn();
    void controller.settled().then(rest);
    host.connect();
    await settle();
    expect(rest).not.toHaveBeenCalled();
    call(0).fail(new PaConnectionError('no answer'));
    await settle();
    expect(rest).toHaveBeenCalledOnce();
    await controller.settled();
  });
});
