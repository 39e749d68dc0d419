import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { StateSubject } from '../../../src/controllers/dashboard/dashboard-state-controller.js';
import {
  LazyDashboardStateController,
  type LazyDashboardStateOptions,
} from '../../../src/controllers/dashboard/lazy-dashboard-state-controller.js';
import type { Problem } from '../../../src/controllers/problem.js';
import { eventually } from '../../eventually.js';
import { FakeHost } from '../fake-host.js';

const load: LazyDashboardStateOptions['load'] = () =>
  import('../../../src/controllers/dashboard/dashboard-state-controller.js');
const plain: StateSubject = { widgets: [], snapshots: [], attributes: {}, tabs: new Map([['c', ['one', 'two']]]) };
const position = { x: 0, y: 0, w: 1, h: 1 };
const widget = { id: 'w', type: 'FILTER', position, config: { member: 'orders.status', value: 'shipped' } };
const controlled: StateSubject = { ...plain, widgets: [widget] };

/** A host like an element, without event listeners. */
class EventHost extends FakeHost {
  dispatchEvent(): boolean {
    return true;
  }
}

function setting(options: Partial<LazyDashboardStateOptions> = {}) {
  const host = new EventHost();
  const problems: Problem[] = [];
  const loading = vi.fn(options.load ?? load);
  const choosing = new LazyDashboardStateController(host as EventHost & HTMLElement, {
    source: () => null,
    filters: () => null,
    lockedFilters: () => null,
    timezone: () => null,
    urlState: () => null,
    onProblem: problem => problems.push(problem),
    ...options,
    load: loading,
  });
  host.connect();
  return { host, choosing, problems, loading };
}

describe('LazyDashboardStateController', () => {
  // On a busy machine, importing the module for the first time takes longer than the default timeout.
  beforeAll(async () => {
    await load();
  });

  it('loads nothing for a dashboard without choices', async () => {
    const { host, choosing, loading } = setting();
    choosing.use(plain);
    host.requestUpdate();
    await host.updateComplete;
    expect(choosing.ready).toBe(true);
    choosing.openTab('c', 'two');
    expect(choosing.tabOf('c')).toBe('two');
    expect(choosing.getState()).toEqual({ filters: {}, timeGrains: {}, members: {}, tabs: { c: 'two' } });
    expect(loading).not.toHaveBeenCalled();
  });

  it('blocks tiles until the defaults of controls are known', async () => {
    const { host, choosing } = setting();
    choosing.use(controlled);
    host.requestUpdate();
    expect(choosing.ready).toBe(false);
    await eventually(() => expect(choosing.ready).toBe(true));
    await host.updateComplete;
    expect(choosing.choices).toMatchObject([{ member: 'orders.status', condition: { value: 'shipped' } }]);
  });

  it('has the defaults of controls immediately if it was prefetched', async () => {
    const { choosing, loading } = setting();
    choosing.prepare();
    await loading.mock.results[0]?.value;
    await Promise.resolve();
    choosing.use(controlled);
    expect(choosing.stateController).not.toBeNull();
    expect(choosing.ready).toBe(true);
    expect(loading).toHaveBeenCalledTimes(1);
  });

  it('preserves state that was set before it was loaded', async () => {
    const { choosing } = setting();
    choosing.use(plain);
    choosing.openTab('c', 'two');
    choosing.setState({ filters: { 'orders.status': { value: 'lost' } } });
    const early = choosing.getState();
    await choosing.load();
    expect(choosing.getState()).toEqual(early);
    expect(early).toMatchObject({ filters: { 'orders.status': { value: 'lost' } }, tabs: { c: 'two' } });
  });

  it('opens no tab for an invalid state', () => {
    const { choosing } = setting();
    Reflect.apply(choosing.setState, choosing, [{ tabs: null }]);
    expect(choosing.tabOf('c')).toBeNull();
  });

  it('lets tiles keep their rows while it is loaded late', async () => {
    const { host, choosing } = setting();
    choosing.use(plain);
    host.requestUpdate();
    await host.updateComplete;
    choosing.setState({ timeGrains: { 'orders.date': 'week' } });
    expect(choosing.ready).toBe(true);
  });

  it('reports a failed load and can be retried', async () => {
    let isGone = true;
    const { host, choosing, problems, loading } = setting({
      load: () => (isGone ? Promise.reject(new Error('no chunk')) : load()),
    });
    choosing.use(controlled);
    host.requestUpdate();
    await eventually(() => expect(problems).toHaveLength(1));
    expect(choosing.problem).toBe(problems[0]);
    expect(choosing.ready).toBe(false);
    await host.updateComplete;
    expect(loading).toHaveBeenCalledTimes(1);
    isGone = false;
    choosing.retry();
    await eventually(() => expect(choosing.ready).toBe(true));
    expect(choosing.problem).toBeNull();
  });
});
