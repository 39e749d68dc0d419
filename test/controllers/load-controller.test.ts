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
  const current = { key, source: session as FakeSession | null };
  const controller = new LoadController<string, string>(host, {
    source: () => current.source,
    key: () => current.key,
    load: (_source, expected, signal) =>
      new Promise((answer, fail) => {
        calls.push({ key: expected, signal, answer, fail });
        signal.addEventListener('abort', () => fail(new PaAbortError()));
      }),
    isCompatible: (loaded, expected) => loaded.includes(' ') && loaded[0] === expected[0],
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
  return { host, session, calls, call, current, controller, onProblem, settle };
}

afterEach(() => vi.unstubAllGlobals());

describe('LoadController requests', () => {
  it('waits while there is no key or no session', async () => {
    const { host, controller, calls, current, settle } = setting(null);
    host.connect();
    await settle();
    current.key = 'a';
    current.source = null;
    host.requestUpdate();
    await settle();
    expect(controller.state).toEqual({ status: 'waiting' });
    expect(calls).toEqual([]);
  });

  it('loads the value of a key once', async () => {
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

  it('lets the latest request win and aborts the previous one', async () => {
    const { host, controller, call, current, settle } = setting();
    host.connect();
    await settle();
    current.key = 'b';
    host.requestUpdate();
    await settle();
    expect(call(0).signal.aborted).toBe(true);
    call(1).answer('b rows');
    call(0).answer('a rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'b rows' });
  });

  it('keeps the value during a reload, and drops it for another key', async () => {
    const { host, controller, call, current, settle } = setting();
    host.connect();
    await settle();
    call(0).answer('rows');
    await settle();
    void controller.reload();
    expect(controller.state).toEqual({ status: 'loading', value: 'rows' });
    call(1).answer('newer rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'newer rows' });
    current.key = 'b';
    host.requestUpdate();
    await settle();
    expect(controller.state).toEqual({ status: 'loading', value: null });
  });

  it('shows a compatible value until the requested one is loaded', async () => {
    const { host, controller, call, current, settle } = setting('a 1');
    host.connect();
    await settle();
    call(0).answer('rows');
    await settle();
    current.key = 'a 2';
    host.requestUpdate();
    await settle();
    expect(controller.state).toEqual({ status: 'loading', value: 'rows' });
    controller.stop();
    expect(controller.state).toEqual({ status: 'stopped', value: null });
    current.key = 'a 3';
    host.requestUpdate();
    await settle();
    call(2).answer('other rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'other rows' });
    current.key = 'b 1';
    host.requestUpdate();
    await settle();
    expect(controller.state).toEqual({ status: 'loading', value: null });
  });

  it('returns when the current request started', async () => {
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

  it('resolves settled when loading has finished', async () => {
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

describe('LoadController failures and retries', () => {
  it('reports a failure once, and loads again on request', async () => {
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

  it('drops the message of an unknown error', async () => {
    const { host, controller, call, settle } = setting();
    host.connect();
    await settle();
    call(0).fail(new TypeError('cannot read 4711 of Jane Doe'));
    await settle();
    expect(JSON.stringify(controller.state)).not.toContain('Jane');
  });

  it('repeats a request that the session aborted when the session is ready', async () => {
    const { host, session, controller, calls, call, onProblem, settle } = setting();
    host.connect();
    await settle();
    session.suspend();
    call(0).fail(new PaAbortError());
    await settle();
    expect(onProblem).not.toHaveBeenCalled();
    expect(controller.state.status).toBe('loading');
    session.setStatus(SessionStatus.ready);
    await settle();
    expect(calls.length).toBe(2);
  });

  it('repeats a request that the session aborted, even if the abort is reported late', async () => {
    const { host, session, controller, calls, call, settle } = setting();
    host.connect();
    await settle();
    session.suspend();
    session.setStatus(SessionStatus.ready);
    await settle();
    expect(calls.length).toBe(1);
    call(0).fail(new PaAbortError());
    await settle();
    expect(calls.length).toBe(2);
    call(1).answer('rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'rows' });
  });

  it('repeats a request that failed without a session when there is one', async () => {
    const { host, session, calls, call, settle } = setting();
    host.connect();
    await settle();
    call(0).fail(new PaConnectionError('no answer'));
    await settle();
    session.setStatus(SessionStatus.ready);
    await settle();
    expect(calls.length).toBe(2);
  });

  it('repeats a request that failed offline when the network is back', async () => {
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

  it('does not repeat other failures when the page wakes', async () => {
    const { host, session, calls, call, settle } = setting();
    host.connect();
    await settle();
    call(0).fail(new PaError('bad_request', 'Wrong.', { status: 400 }));
    await settle();
    session.emit({ type: 'wake' });
    await settle();
    expect(calls.length).toBe(1);
  });
});

describe('LoadController identity changes', () => {
  it('clears the value of another identity immediately', async () => {
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

  it('shows no response that was requested for another identity', async () => {
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

  it('shows no value of an identity that ended while the host was not in the page', async () => {
    const { host, session, controller, calls, call, settle } = setting();
    host.connect();
    await settle();
    call(0).answer('rows');
    await settle();
    host.disconnect();
    await settle();
    session.emit({ type: 'identity', identity: 'another' });
    expect(JSON.stringify(controller.state)).not.toContain('rows');
    host.connect();
    expect(JSON.stringify(controller.state)).not.toContain('rows');
    await settle();
    expect(calls.length).toBe(2);
    call(1).answer('own rows');
    await settle();
    expect(controller.state).toEqual({ status: 'ready', value: 'own rows' });
  });

  it('requests nothing after the end of the session until it is ready again', async () => {
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
    session.setStatus(SessionStatus.ready);
    await settle();
    expect(calls.length).toBe(2);
  });
});

describe('LoadController host moves', () => {
  it('continues when its host is moved', async () => {
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

  it('aborts when its host leaves, and loads again when it is back', async () => {
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

  it('leaks nothing after 100 reconnections', async () => {
    const { host, session, settle } = setting();
    for (let cycle = 0; cycle < 100; cycle += 1) {
      host.connect();
      await settle();
      host.disconnect();
      await settle();
    }
    expect(session.listeners).toBe(0);
  });
});

describe('LoadController stop', () => {
  it('aborts the current request on stop, and keeps the previous value', async () => {
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

  it('shows no response that arrives after stop', async () => {
    const { host, controller, call, settle } = setting();
    host.connect();
    await settle();
    call(0).answer('rows');
    controller.stop();
    await settle();
    expect(controller.state).toEqual({ status: 'stopped', value: null });
  });

  it('stays stopped when the session or its host comes back, and loads another key', async () => {
    const { host, session, controller, calls, current, settle } = setting();
    host.connect();
    await settle();
    controller.stop();
    host.disconnect();
    await settle();
    host.connect();
    session.setStatus(SessionStatus.ready);
    session.emit({ type: 'wake' });
    await settle();
    expect(calls.length).toBe(1);
    expect(controller.state.status).toBe('stopped');
    current.key = 'b';
    host.requestUpdate();
    await settle();
    expect(calls.length).toBe(2);
    expect(controller.state.status).toBe('loading');
  });

  it('clears the stopped value when the identity changes', async () => {
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

  it('ignores stop without a request', async () => {
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
});
