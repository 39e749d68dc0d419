import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DashboardWidget } from '../../../../src/contract/dashboards.js';
import type { JsonObject } from '../../../../src/contract/wire.js';
import type { AgentDashboard, AgentEvent, AgentTurn } from '../../../../src/platform/agent/agent.js';
import { createAnalyst } from '../../../../src/platform/agent/analyst/analyst.js';
import { readControlRequest } from '../../../../src/platform/agent/analyst/control-request.js';
import { withDashboardTools } from '../../../../src/platform/agent/tools/create-tools.js';
import { modelFacts } from '../../../../src/report/controls/model-facts.js';
import { settableControls } from '../../../../src/report/controls/propose-controls.js';
import { controlOf } from '../../../../src/report/controls/read-control.js';
import { flightWorld, type World } from './worlds.js';

const agent = createAnalyst();
const widget = (id: string, type: string, config: JsonObject): DashboardWidget => ({
  id,
  type,
  position: { x: 0, y: 0, w: 2, h: 1 },
  config,
});
const widgets = [
  widget('state', 'FILTER', { member: 'departures.destination_state', title: 'State', single: true }),
  widget('date', 'FILTER', { member: 'departures.date', title: 'Departure', operators: ['between'] }),
  widget('grain', 'TIME_GRAIN', { member: 'departures.date', title: 'Granularity', granularities: ['day', 'month'] }),
  widget('airport', 'FILTER', { member: 'departures.destination', title: 'Airport', visibility: 'hidden' }),
];
const query: JsonObject = {
  measures: ['departures.count'],
  timeDimensions: [{ dimension: 'departures.date', granularity: 'day', dateRange: 'this year' }],
  filters: [{ member: 'departures.destination_state', operator: 'equals', values: ['FL'] }],
};

describe('a request to change the dashboard', () => {
  let world: World;
  let dashboard: AgentDashboard;
  beforeAll(async () => {
    world = await flightWorld();
    dashboard = {
      publicId: 'Dashboard001',
      title: 'Flights',
      selected: [],
      tiles: [{ widgetId: 'w1', title: 'Flights', description: '', query }],
      controls: settableControls(
        widgets.flatMap(one => controlOf(one) ?? []),
        modelFacts(await world.data.meta()),
      ),
    };
  });
  afterAll(() => world.close());

  async function send(input: string, more: Partial<AgentTurn> = {}) {
    const events: AgentEvent[] = [];
    const turn = world.turn(input, { dashboard, ...more });
    const context = world.context();
    const tools = withDashboardTools(context.tools, turn.dashboard);
    for await (const event of agent.run(turn, { ...context, tools })) events.push(event);
    return {
      events,
      calls: events.flatMap(event => (event.type === 'tool-call' ? [[event.name, event.input]] : [])),
      results: events.flatMap(event => (event.type === 'tool-result' ? [event.result] : [])),
      text: events.flatMap(event => (event.type === 'text' ? [event.delta] : [])).join(''),
    };
  }

  it('sets the control of a value', async () => {
    const { results, text } = await send('Show only TX on the dashboard');
    expect(results).toEqual([
      {
        dashboardPublicId: 'Dashboard001',
        state: {
          filters: { 'departures.destination_state': { operator: 'equals', value: ['TX'] } },
          timeGrains: {},
          members: {},
        },
        changes: [{ title: 'State', value: 'TX' }],
      },
    ]);
    // The page shows the change with "Undo".
    expect(text).toBe('');
  });

  it.each([
    [
      'filter the dashboard to March',
      { filters: { 'departures.date': { operator: 'between', value: ['2001-03-01', '2001-03-31'] } } },
    ],
    ['Set the dashboard to month', { timeGrains: { 'departures.date': 'month' } }],
    [
      'please clear all filters of the dashboard',
      { filters: { 'departures.destination_state': null, 'departures.date': null } },
    ],
  ])('reads “%s”', async (input, state) => {
    const { results } = await send(input);
    expect(results).toMatchObject([{ state }]);
  });

  it.each([
    ['Filter the dashboard to Chicago', 'no control for'],
    ['Filter the dashboard to xyzzy', 'as a value of a control'],
  ])('refuses “%s” and names the controls', async (input, reason) => {
    const { calls, text } = await send(input);
    expect(calls).toEqual([]);
    expect(text).toContain(reason);
    expect(text).toContain('State, Departure, Granularity');
  });

  it('sets nothing if the page applies no changes', async () => {
    const { calls, text } = await send('Show only TX on the dashboard', { dashboard: { ...dashboard, controls: [] } });
    expect(calls).toEqual([]);
    expect(text).toContain('can’t change the controls');
  });

  it('does not repeat the call when an interrupted run resumes', async () => {
    const { events } = await send('Show only TX on the dashboard');
    const step = events.find(event => event.type === 'step');
    const resumed = await send('Show only TX on the dashboard', { resumeFrom: step?.state ?? null });
    expect(resumed.calls).toEqual([]);
    expect(resumed.text).toBe('');
  });
});

it.each(['Show flights on the dashboard', 'What does the dashboard show?', 'Filter flights to Texas', 'set'])(
  'reads “%s” as a question',
  input => {
    expect(readControlRequest(input)).toBeNull();
  },
);
