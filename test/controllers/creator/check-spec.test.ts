import { expect, it } from 'vitest';
import { checkSpec } from '../../../src/controllers/creator/check-spec.js';

const columns = ['orders.count', 'orders.status'];
const bar = {
  mark: 'bar',
  encoding: { x: { field: 'orders\\.count', type: 'quantitative' }, y: { field: 'orders\\.status', type: 'nominal' } },
};

it('accepts a chart of the columns', async () => {
  expect(await checkSpec(JSON.stringify(bar), columns)).toEqual({ spec: bar, problem: null });
});

it.each([
  ['{\n  "mark": bar\n}', { kind: 'syntax', line: 2, column: 11 }],
  ['{"mark": "bar"', { kind: 'syntax', line: 1, column: 15 }],
  ['[]', { kind: 'syntax', line: 1, column: 1 }],
  ['{"a": [1, 2,]}', { kind: 'syntax', line: 1, column: 13 }],
  ['[1] x', { kind: 'syntax', line: 1, column: 5 }],
  ['alert(1)', { kind: 'syntax', line: 1, column: 1 }],
])('states where %s is not JSON', async (text, problem) => {
  expect((await checkSpec(text, columns)).problem).toMatchObject(problem);
});

it.each([
  [
    'a field that is not a column',
    { ...bar, encoding: { x: { field: 'orders\\.secret', type: 'quantitative' } } },
    /orders\.secret/,
  ],
  ['data from a URL', { ...bar, data: { url: 'https://evil.example/' } }, /data from a URL/],
  ['an image', { ...bar, mark: 'image' }, /an image mark/],
  ['an unknown function', { ...bar, transform: [{ calculate: 'fetch("https://evil.example/")', as: 'x' }] }, /./],
  ['an input', { ...bar, params: [{ name: 'p', bind: { input: 'range' } }] }, /bind/],
])('rejects %s', async (_, spec, message) => {
  const { problem } = await checkSpec(JSON.stringify(spec), columns);
  expect(problem).toMatchObject({ kind: 'rejected', message: expect.stringMatching(message) });
});
