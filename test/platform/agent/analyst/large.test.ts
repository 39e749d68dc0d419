import { expect, it } from 'vitest';
import type { MetaResponse } from '../../../../src/contract/meta.js';
import { createAnalyst } from '../../../../src/platform/agent/analyst/analyst.js';
import { fakeCaller, turnOf } from './fake-world.js';

const words = 'customer region store premium account'.split(' ');
const names = Array.from({ length: 20 }, (_, index) => `things.name${index}`);
const meta: MetaResponse = {
  cubes: [
    {
      name: 'things',
      title: 'Things',
      type: 'cube',
      connectedComponent: 1,
      measures: [{ name: 'things.count', title: 'Things', shortTitle: 'Count', type: 'number', aggType: 'count' }],
      dimensions: names.map((name, index) => ({
        name,
        title: `Things ${name}`,
        shortTitle: `Kind ${'abcdefghijklmnopqrst'[index]}`,
        type: 'string',
      })),
      segments: [],
    },
  ],
};

/** The maximum number of values in the maximum number of dimensions, all of which share the same words. */
const values = Object.fromEntries(
  names.map((name, place) => [
    name,
    Array.from({ length: 1000 }, (_, index) => `Customer region store premium account n${index}x${place}`),
  ]),
);

/** Counts the event-loop turns while a question is answered, and returns the answer. */
async function turnsDuring(input: string): Promise<{ readonly turns: number; readonly text: string }> {
  let turns = 0;
  let text = '';
  let next = setImmediate(function turn() {
    turns += 1;
    next = setImmediate(turn);
  });
  for await (const event of createAnalyst().run(turnOf(input), fakeCaller(values, meta).context()))
    if (event.type === 'text') text += event.delta;
  clearImmediate(next);
  return { turns, text };
}

// Comparing each value with each span of words would block the event loop for minutes.
it('yields to the event loop during a long question over many values', async () => {
  const { turns, text } = await turnsDuring(`count for ${`${words.join(' ')} `.repeat(25)}`);
  expect(text).toContain('I don’t know what');
  expect(turns).toBeGreaterThan(5);
});

it('still finds the matching value', async () => {
  const { text } = await turnsDuring('count for account n77x3');
  expect(text).toContain('Customer region store premium account n77x3');
});
