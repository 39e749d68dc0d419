import { describe, expect, it } from 'vitest';
import type { AgentContext, AgentEvent, AgentTurn } from '../../../../src/platform/agent/agent.js';
import { createAnalyst } from '../../../../src/platform/agent/analyst/analyst.js';
import { answerChecksum } from '../../../../src/platform/agent/tools/answer-checksum.js';
import type { CallerData } from '../../../../src/platform/data/caller-data.js';
import { PlatformError } from '../../../../src/platform/errors.js';
import { gate } from '../../chat/fake-agent.js';
import { fakeCaller, thingsMeta, turnOf } from './fake-world.js';

const agent = createAnalyst();
const colours = { 'things.colour': ['red', 'green', 'blue'], 'things.shape': ['round', 'square'] };

async function run(turn: AgentTurn, context: AgentContext): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.run(turn, context)) events.push(event);
  return events;
}
const textIn = (events: readonly AgentEvent[]) =>
  events.flatMap(event => (event.type === 'text' ? [event.delta] : [])).join('');
const typesOf = (events: readonly AgentEvent[]) =>
  events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
/** Types of the events of an answer that has a query, suggestions and text. */
const typesOfAnswer = 'tool-call tool-result step tool-call tool-result text text-end usage finish'.split(' ');

describe('a turn', () => {
  it('calls the tool, completes a step, streams the answer and reports zero usage', async () => {
    const events = await run(turnOf('things by colour'), fakeCaller(colours).context());
    expect(typesOf(events)).toEqual(typesOfAnswer);
    expect(events.at(-2)).toMatchObject({ usage: { models: ['built-in'], llmCalls: 0, totalTokens: 0 } });
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  it.each([
    ['things in May 2001 compared with April 2001', 2],
    // One chart shows both periods, so their results are sent together.
    ['things by colour in May 2001 compared with April 2001', 1],
  ])(
    'resumes “%s” after its last step without repeating the query and gives the same answer',
    async (question, count) => {
      const whole = await run(turnOf(question), fakeCaller(colours).context());
      const steps = whole.flatMap(event => (event.type === 'step' ? [event.state] : []));
      expect(steps.length).toBe(count);
      for (const [index, state] of steps.entries()) {
        const kept = JSON.parse(JSON.stringify(state));
        const { context } = fakeCaller(colours);
        const rest = await run(turnOf(question, { resumeFrom: kept }), context());
        expect(rest.filter(event => event.type === 'tool-call' && event.name === 'dataQuery').length).toBe(
          count - 1 - index,
        );
        expect(textIn(rest)).toBe(textIn(whole));
      }
    },
  );

  it('charts shares, which need the results of both queries', async () => {
    const events = await run(turnOf('share of things by colour'), fakeCaller(colours).context());
    expect(typesOf(events).slice(0, 3)).toEqual(['tool-call', 'tool-result', 'step']);
    const result = events.find(({ type }) => type === 'tool-result');
    const { schema, data, vegaSpec, query, checksum, computed } = result?.type === 'tool-result' ? result.result : {};
    expect(schema).toMatchObject([{}, {}, { name: 'share', title: 'Share of count', format: '.1%' }]);
    expect(data).toMatchObject([['red', '7', '1'], {}, {}]);
    expect(JSON.parse(String(vegaSpec)).encoding.x).toMatchObject({ field: 'share', title: 'Share of count' });
    // A pin identifies the answer by the checksum of its stored result.
    expect(checksum).toBe(answerChecksum({ query, vegaSpec, computed }));
  });

  it('names both periods in the title of a chart of them', async () => {
    const question = 'things by colour in May 2001 compared with April 2001';
    const events = await run(turnOf(question), fakeCaller(colours).context());
    const result = events.find(({ type }) => type === 'tool-result');
    const { queryTitle } = result?.type === 'tool-result' ? result.result : {};
    expect(queryTitle).toBe('Count · by colour · made May 2001 · compared with April 2001');
  });

  it('names weekdays that the model numbers', async () => {
    const [cube] = thingsMeta.cubes;
    const weekday = { name: 'things.weekday', title: 'Weekday', shortTitle: 'Weekday', type: 'number' };
    const numbered = { ...weekday, meta: { sunday: 7 } };
    const meta = { ...thingsMeta, cubes: cube ? [{ ...cube, dimensions: [...cube.dimensions, numbered] }] : [] };
    const caller = fakeCaller({ 'things.weekday': ['1', '7'] }, meta);
    expect(textIn(await run(turnOf('things by weekday'), caller.context()))).toMatch(/Monday.*Sunday/s);
  });

  it('starts over if the resume state does not match the query', async () => {
    for (const resumeFrom of [{}, { calls: 'x' }, { calls: [{ input: { query: {} }, result: {} }] }]) {
      const events = await run(turnOf('things by colour', { resumeFrom }), fakeCaller(colours).context());
      expect(typesOf(events)[0]).toBe('tool-call');
    }
  });

  it('ends without an error when aborted, before and between queries', async () => {
    const before = new AbortController();
    before.abort();
    expect(await run(turnOf('things by colour'), fakeCaller(colours).context(before.signal))).toEqual([]);
    const between = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of agent.run(
      turnOf('things by colour in May 2001 compared with April 2001'),
      fakeCaller(colours).context(between.signal),
    )) {
      events.push(event);
      if (event.type === 'step') between.abort();
    }
    expect(typesOf(events)).toEqual(['tool-call', 'tool-result', 'step']);
  });

  it('does not affect another caller who shares the data when aborted', async () => {
    const world = fakeCaller(colours);
    const leaving = new AbortController();
    const { opened, open } = gate();
    const data: CallerData = {
      meta: () => world.data.meta(),
      async load(query, options) {
        await opened;
        return world.data.load(query, options);
      },
    };
    const left = run(turnOf('red things'), { ...world.context(leaving.signal), data });
    const staying = run(turnOf('red things'), { ...world.context(), data });
    leaving.abort();
    open();
    expect(await left).toEqual([]);
    expect(typesOf(await staying)).toEqual(typesOfAnswer);
  });

  it('reports a failed query only with the message meant for the caller', async () => {
    const failing = (error: unknown): AgentContext => {
      const { context } = fakeCaller(colours);
      const tool = { name: 'dataQuery', description: '', parameters: {}, run: () => Promise.reject(error) };
      return { ...context(), tools: new Map([['dataQuery', tool]]) };
    };
    const failure = await run(turnOf('things by colour'), failing(new PlatformError(503, 'Too many queries *run*.')));
    expect(textIn(failure)).toBe('The query could not be answered: Too many queries \\*run\\*.');
    expect(failure.find(({ type }) => type === 'tool-result')).toMatchObject({
      result: { error: 'Too many queries *run*.' },
    });
    const secret = await run(turnOf('things by colour'), failing(new Error('secret detail')));
    expect(JSON.stringify(secret)).not.toContain('secret');
    const without = await run(turnOf('things by colour'), { ...fakeCaller(colours).context(), tools: new Map() });
    expect(textIn(without)).toContain('could not be answered');
  });

  it('reveals nothing about a malformed result', async () => {
    for (const result of [{}, { schema: 1, data: 2 }, { schema: [null, 3], data: ['x', [1, {}]], totalRows: 'y' }]) {
      const tool = { name: 'dataQuery', description: '', parameters: {}, run: async () => result };
      const events = await run(turnOf('things'), {
        ...fakeCaller(colours).context(),
        tools: new Map([['dataQuery', tool]]),
      });
      expect(textIn(events)).not.toMatch(/\d/);
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    }
  });

  it('states that images are not supported and that there is no input', async () => {
    const image = { mimeType: 'image/png' as const, data: 'AAAA' };
    expect(textIn(await run(turnOf('what is this?', { images: [image] }), fakeCaller(colours).context()))).toContain(
      'images',
    );
    const nothing = fakeCaller({}, { cubes: [] });
    expect(textIn(await run(turnOf('things by colour'), nothing.context()))).toContain('no access to any data');
    expect(await agent.suggestions(nothing.data, 'en')).toEqual([]);
  });
});

describe('values', () => {
  it('are loaded once per caller and not shared with other callers', async () => {
    const [one, other] = [fakeCaller(colours), fakeCaller({ 'things.colour': ['pink'] })];
    const lookUps = ({ asked }: typeof one) =>
      asked.filter(({ measures, timeDimensions }) => (measures ?? timeDimensions) === undefined).length;
    for (const input of ['green things', 'blue things', 'round things']) await run(turnOf(input), one.context());
    expect(lookUps(one)).toBe(2);
    expect(textIn(await run(turnOf('green things'), other.context()))).toContain('I don’t know what “green” means');
    expect(lookUps(other)).toBe(2);
    expect(textIn(await run(turnOf('pink things'), one.context()))).toContain(
      'I don’t know what “pink” means in this data, so I don’t show a result that could be wrong. Closest: count, weight, colour.',
    );
  });

  it('of a grouping are not loaded for a question that names no value', async () => {
    const caller = fakeCaller(colours);
    await run(turnOf('weight by colour'), caller.context());
    const loaded = caller.asked
      .filter(({ measures }) => measures === undefined)
      .flatMap(({ dimensions }) => dimensions);
    expect(loaded).not.toContain('things.colour');
  });

  it('are searched if there are too many to load', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => `Name ${index} ${index === 4321 ? 'Zebedee' : 'x'}`);
    const caller = fakeCaller({ 'things.colour': many });
    const events = await run(turnOf('weight of Zebedee'), caller.context());
    expect(events.find(event => event.type === 'tool-call')).toMatchObject({
      input: { query: { filters: [{ member: 'things.colour', operator: 'equals', values: ['Name 4321 Zebedee'] }] } },
    });
  });

  it('that cannot be loaded leave the question unanswered, without a figure', async () => {
    const caller = fakeCaller(colours);
    const data = { ...caller.data, load: () => Promise.reject(new PlatformError(503, 'busy')) };
    const text = textIn(await run(turnOf('green things'), { ...caller.context(), data }));
    expect(text).toContain('I don’t know what “green” means');
  });

  it('appear in an answer as plain text', async () => {
    const hostile = ['[x](https://evil.example)', '<b>**bold**</b>', '| pipe |', '![i](https://evil.example/p.png)'];
    const events = await run(turnOf('things by colour'), fakeCaller({ 'things.colour': hostile }).context());
    expect(textIn(events)).not.toMatch(/[^\\]\[x\]|https:\/\/|[^\\]<b>/);
  });
});

describe('questions of any size', () => {
  it.each([
    'a ',
    '(',
    '"',
    '1,',
    'march ',
    'by ',
    'things ',
    '1 ',
    'not ',
    '2001-',
    'last 3 ',
    'x',
    'é',
    'q1 q2 ',
    'select ',
    "o'",
    'between 1 and ',
    '\u202E',
    'thimgs ',
  ])('that repeat “%s” are completed', async piece => {
    for (const length of [150, 1990, 16_000]) {
      const input = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
      const events = await run(turnOf(input), fakeCaller(colours).context());
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    }
  });

  it('ignore the previous question if its members no longer exist in the model', async () => {
    const call = { name: 'dataQuery', input: { query: { measures: ['gone.count'] } }, result: {} };
    const history = [{ input: 'gone', answer: '', calls: [call] }];
    const events = await run(turnOf('by colour', { history }), fakeCaller(colours).context());
    expect(events.find(event => event.type === 'tool-call')).toMatchObject({
      input: { query: { measures: ['things.count'] } },
    });
  });

  it('tolerate malformed queries in the history', async () => {
    for (const input of [
      null,
      3,
      {},
      { query: 1 },
      { query: { measures: ['things.count'], filters: [{ or: [] }] } },
      { query: { timeDimensions: [{}] } },
    ]) {
      const history = [{ input: 'x'.repeat(9000), answer: '', calls: [{ name: 'dataQuery', input, result: null }] }];
      const events = await run(turnOf('and by colour?', { history }), fakeCaller(colours).context());
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    }
  });

  it('use a changed model immediately', async () => {
    let meta = thingsMeta;
    const caller = fakeCaller(colours);
    const data = { ...caller.data, meta: () => meta };
    const context = { ...caller.context(), data };
    expect(textIn(await run(turnOf('size by colour'), context))).toContain('“size”');
    const [cube] = thingsMeta.cubes;
    if (cube === undefined) throw new Error('there is a cube');
    const size = { name: 'things.size', title: 'Things Size', shortTitle: 'Size', type: 'number', aggType: 'sum' };
    meta = { cubes: [{ ...cube, measures: [...cube.measures, size] }] };
    expect((await run(turnOf('size by colour'), context)).find(event => event.type === 'tool-call')).toMatchObject({
      input: { query: { measures: ['things.size'] } },
    });
  });
});
