import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DataQueryResult } from '../../../../src/contract/chat.js';
import type { PastTurn } from '../../../../src/platform/agent/agent.js';
import { createAnalyst } from '../../../../src/platform/agent/analyst/analyst.js';
import { createFormatter } from '../../../../src/report/format/format.js';
import fc, { casesAtDepth } from '../../../property.js';
import { type Answer, ask } from './run-question.js';
import { shopWorld, type World } from './worlds.js';

const agent = createAnalyst();
const formatter = createFormatter('en');
let shop: World;
beforeAll(async () => {
  shop = await shopWorld();
});
afterAll(() => shop.close());

const vocabulary =
  'how many orders revenue by country city status product category brand customers top 5 worst 3 most average max total share of percentage compare with last month ' +
  'previous year in 2023 May 2024 since Q1 and or not without only Berlin Vienna Bikes delivered Web over 100 under 50% between per month weekly trend as a table bar chart ' +
  'sort name show 20 also instead price gift express discount rate units sold which what list why delete forecast zzz "Road Bike 500" , ? ( * vs change daily';
const words = fc
  .array(fc.constantFrom(...vocabulary.split(' ')), { minLength: 1, maxLength: 12 })
  .map(list => list.join(' '));
const questions = fc.oneof({ weight: 6, arbitrary: words }, { weight: 1, arbitrary: fc.string({ maxLength: 120 }) });

/** Extracts the numbers from the text, without grouping and signs. */
const numbersIn = (text: string) =>
  (text.replaceAll('\\', '').match(/\d[\d.,]*/g) ?? []).map(number => number.replaceAll(',', '').replace(/\.$/, ''));

/**
 * Returns every number that an answer may contain: formatted cells, sums of rows, and numbers that are derived from two
 * of these.
 */
async function sayable(answer: Answer): Promise<Set<string>> {
  const allowed = new Set<string>();
  const add = (text: string) => numbersIn(text).forEach(number => void allowed.add(number));
  const results = answer.events.flatMap(event =>
    event.type === 'tool-result' && 'schema' in event.result ? [event.result as unknown as DataQueryResult] : [],
  );
  const { cubes } = await shop.data.meta();
  const members = new Map(
    cubes.flatMap(({ measures, dimensions }) => [...measures, ...dimensions]).map(member => [member.name, member]),
  );
  const percent = {
    member: '',
    kind: 'measure' as const,
    annotation: { title: '', shortTitle: '', type: 'number', format: 'percent_1' },
  };
  for (const [place, { schema, data, totalRows }] of results.entries()) {
    add(formatter.cell(String(totalRows), { ...percent, annotation: { ...percent.annotation, format: 'number_0' } }));
    add(String(data.length));
    for (const [index, { name }] of schema.entries()) {
      const [, , grain] = name.split('.');
      const annotation = members.get(name.split('.').slice(0, 2).join('.')) ?? percent.annotation;
      const column = {
        member: name,
        kind: 'measure' as const,
        annotation: { ...annotation, ...(grain ? { granularity: { name: grain, title: grain } } : {}) },
      };
      for (const row of data) {
        const cell = row[index] ?? null;
        add(formatter.cell(cell, column));
        if (place > 0 || cell === null) continue;
        for (const other of results[1]?.data ?? []) {
          const [mine, theirs] = [
            Number(cell),
            Number(other[results[1]?.schema.findIndex(one => one.name === name) ?? -1]),
          ];
          add(formatter.cell(String(Number((mine - theirs).toPrecision(12))), column));
          add(formatter.cell(String(mine / theirs), percent));
          add(formatter.cell(String(Number((mine - theirs).toPrecision(12)) / Math.abs(theirs)), percent));
        }
      }
    }
  }
  return allowed;
}

/**
 * Returns the paragraphs that contain numbers. The description of the interpretation repeats numbers of the question.
 */
const figuresOf = (text: string) =>
  text
    .split('\n\n')
    .filter(part => !part.startsWith('Understood as:') && !part.startsWith('The first 20 of'))
    .join('\n');

it('never throws, never queries invisible members and reports only figures from queries, for any question', async () => {
  const { cubes } = await shop.data.meta();
  const visible = new Set(
    cubes
      .flatMap(({ measures, dimensions, segments }) => [...measures, ...dimensions, ...segments])
      .map(({ name }) => name),
  );
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(questions, { minLength: 1, maxLength: 3 }), async inputs => {
      const history: PastTurn[] = [];
      for (const input of inputs) {
        const answer = await ask(agent, shop, input, { history });
        history.push(answer.turn);
        expect(answer.events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
        expect(answer.text).not.toContain('could not be answered');
        // The analyst runs no query if the question contains a word that it does not understand.
        if (/\bzzz\b/.test(input)) expect([input, answer.queries]).toEqual([input, []]);
        const named = JSON.stringify(answer.queries).match(/"(?:orders|customers|products|[a-z_]+)\.[a-z_]+/g) ?? [];
        for (const name of named) expect([...visible]).toContain(name.slice(1));
        if (answer.queries.length === 0) continue;
        answered += 1;
        // Answers also mention the first and last day with data, and the compared periods.
        const dates = numbersIn(JSON.stringify(answer.queries).replace(/-0?/g, ' ')).concat([
          '2023',
          '2024',
          ...Array.from({ length: 31 }, (_, day) => String(day + 1)),
        ]);
        const allowed = new Set([...(await sayable(answer)), ...dates]);
        const strange = numbersIn(figuresOf(answer.text)).filter(number => !allowed.has(number));
        expect([input, strange]).toEqual([input, []]);
      }
    }),
    { numRuns: casesAtDepth(250, 80) },
  );
  expect(answered).toBeGreaterThan(casesAtDepth(30, 2));
});
