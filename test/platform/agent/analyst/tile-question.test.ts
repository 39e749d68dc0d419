import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/wire.js';
import { createAnalyst } from '../../../../src/platform/agent/analyst/analyst.js';
import { isAboutTile, turnOfTile } from '../../../../src/platform/agent/analyst/tile-question.js';
import { ask } from './run-question.js';
import { flightWorld, type World } from './worlds.js';

const agent = createAnalyst();
const byMonth: JsonObject = {
  measures: ['departures.count'],
  timeDimensions: [{ dimension: 'departures.date', granularity: 'month', dateRange: 'this year' }],
  filters: [{ member: 'departures.destination_state', operator: 'equals', values: ['FL'] }],
};
const tile = (query: JsonObject | null) => ({ widgetId: 'w1', title: 'Flights', description: 'To Florida', query });
const about = (query: JsonObject | null, selected = ['w1']) => ({
  dashboard: { publicId: 'Dashboard001', controls: [], title: 'Flights', tiles: [tile(query)], selected },
});

describe('a question about a tile', () => {
  let world: World;
  beforeAll(async () => {
    world = await flightWorld();
  });
  afterAll(() => world.close());

  it('explains the tile with its published query and the current controls', async () => {
    const { queries, text } = await ask(agent, world, 'Why is this low?', about(byMonth));
    expect(queries).toMatchObject([
      {
        measures: ['departures.count'],
        timeDimensions: [{ granularity: 'month', dateRange: ['2001-01-01', '2001-12-31'] }],
        filters: [{ member: 'departures.destination_state', values: ['FL'] }],
      },
    ]);
    expect(text).toContain('I can’t explain causes');
  });

  it('changes the query like a follow-up question', async () => {
    const { queries } = await ask(agent, world, 'and for TX?', about(byMonth));
    expect(queries).toMatchObject([
      {
        measures: ['departures.count'],
        timeDimensions: [{ granularity: 'month' }],
        filters: [{ member: 'departures.destination_state', operator: 'equals', values: ['TX'] }],
      },
    ]);
  });

  it('runs a query unchanged that a reading cannot express, and says so if the question changes it', async () => {
    const states = ['FL', 'TX'].map(value => ({
      member: 'departures.destination_state',
      operator: 'equals',
      values: [value],
    }));
    const combined = { measures: ['departures.count'], filters: [{ or: states }] };
    expect((await ask(agent, world, 'Explain this', about(combined))).queries).toEqual([combined]);
    const changed = await ask(agent, world, 'flights by month', about(combined));
    expect(changed.text).toContain('I can’t change the query of “Flights”');
    expect(changed.queries[0]).not.toHaveProperty('filters.0.or');
  });

  it('ignores the context if there is no tile, or more than one', async () => {
    for (const dashboard of [about(byMonth, []), about(byMonth, ['w1', 'w2']), about(null)]) {
      const { queries } = await ask(agent, world, 'flights to TX', dashboard);
      expect(queries[0]).not.toHaveProperty('timeDimensions.0');
    }
  });
});

describe('reading a tile', () => {
  it('refuses dates that are not whole days', () => {
    const at = { now: new Date('2001-06-15T12:00:00Z'), timezone: 'UTC' };
    const last = (dateRange: string) => tile({ measures: ['a.b'], timeDimensions: [{ dimension: 'a.t', dateRange }] });
    expect(turnOfTile(last('last 3 hours'), at)).toBeNull();
    expect(turnOfTile(last('nonsense'), at)).toBeNull();
    expect(turnOfTile(last('last month'), at)?.calls[0]?.input).toMatchObject({
      query: { timeDimensions: [{ dateRange: ['2001-05-01', '2001-05-31'] }] },
    });
  });

  it.each([
    ['Explain this tile', true],
    ['What does it show?', true],
    ['why', false],
    ['Why is revenue low?', false],
    ['this by month', false],
  ])('%s: %s', (question, expected) => {
    expect(isAboutTile(question)).toBe(expected);
  });
});
