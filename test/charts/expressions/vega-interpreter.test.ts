import { parseExpression as parser } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { describe, expect, it } from 'vitest';
import { guardedInterpreter } from '../../../src/charts/expressions/expression-interpreter.js';

const row = {
  'o.a': 7,
  'o.s': 'text',
  list: [3, 1, 2],
  deep: { a: { b: 5 } },
  none: null,
  at: new Date(Date.UTC(2001, 4, 6)),
};
const values = { $width: 400, $name: 'x' };
const context = {
  functions: {
    scale: (name: string, value: number) => `${name} at ${value}`,
    isValid: (value: unknown) => value != null && !Number.isNaN(value),
  },
};

/** Returns the results of an expression in Vega's interpreter and in ours. */
function both(text: string): unknown[] {
  const expression = { ast: parser(text) };
  return [guardedInterpreter, expressionInterpreter].map(interpreter => {
    try {
      return interpreter.parameter(context, expression as never)(row, values);
    } catch (error) {
      return error instanceof Error ? error.name : error;
    }
  });
}

describe('an expression', () => {
  it.each([
    '1 + 2 * 3 - 4 / 5 % 6',
    "datum['o.a'] > 5 && datum['o.s'] === 'text' || false",
    "datum['o.a'] ? 'yes' : 'no'",
    'if(datum.none, 1, 2)',
    'datum.deep.a.b + datum["deep"]["a"]["b"]',
    'datum.list[1]',
    'datum.none == null',
    "!isValid(datum.none) && isValid(datum['o.a'])",
    '-datum["o.a"] + +"3" - ~5',
    '1 << 3 | 4 & 6 ^ 1',
    'width * PI + E',
    'name + "!"',
    'unknown',
    "{a: 1, 'b c': datum['o.a'], d: [1, 2, {e: null}]}",
    "_scale('x', datum['o.a'])",
    'isNaN(NaN) && isFinite(1 / 0)',
    'max(1, 2, 3, 4) + min(4, 5) + abs(-1) + round(2.5) + floor(2.9) + clamp(9, 1, 3) + hypot(3, 4)',
    'length(datum.list) + indexof(datum.list, 2) + lastindexof("abcabc", "b")',
    'join(sort(datum.list), "-") + join(reverse(datum.list))',
    'slice(datum.list, 1) + slice("letters", 1, 3)',
    'upper("a") + lower("B") + trim(" c ") + substring("letters", 2, 4) + parseInt("12px") + parseFloat("1.5e3")',
    'split("a,b,c", ",", 2)',
    'replace("a.b.c", ".", "-")',
    "replace('a1b2', regexp('[0-9]', 'g'), '#')",
    "replace('a1b2', /[0-9]/g, '#')",
    "test(/t.x/, datum['o.s']) && !test('^x', datum['o.s'])",
    'utcyear(datum.at) + utcmonth(datum.at) * 100 + utcdate(datum.at) + utcday(datum.at) + utchours(datum.at)',
    'time(datum.at) + utc(2001, 1, 1)',
    "encodeURIComponent('a b/c')",
    'datum.none.length',
    'nothing()',
  ])('%s has the same result as in Vega', text => {
    const [ours, theirs] = both(text);
    expect(ours).toEqual(theirs);
  });

  it.each([
    ["pad('a', 4, '-', 'left')", '---a'],
    ["pad('a', 4, '-', 'center')", '-a--'],
    ["pad('abc', 2)", 'abc'],
    ['sequence(3)', [0, 1, 2]],
    ['sequence(5, 0, -2)', [5, 3, 1]],
  ])('%s is %j', (text, expected) => {
    expect(both(text)[0]).toEqual(expected);
  });

  it('can read its event', () => {
    const event = { item: { datum: { a: 1 } }, vega: { x: () => 12, item: () => ({ b: 2 }) } };
    const { ast } = { ast: parser('x() + datum.a + item().b') };
    expect(guardedInterpreter.handler(context, { ast } as never)({}, event)).toBe(15);
    expect(guardedInterpreter.event(context, { ast: parser('event.item.datum.a') } as never)(event)).toBe(1);
    expect(guardedInterpreter.operator(context, { ast: parser('width / 2') } as never)(values)).toBe(200);
  });

  it('positions a mark as Vega does', () => {
    const channels = (names: readonly [string, number][]) => ({
      marktype: 'rect',
      channels: Object.fromEntries(names.map(([name, value]) => [name, { ast: parser(String(value)) }])),
    });
    for (const names of [
      [
        ['x', 9],
        ['x2', 4],
        ['y', 1],
        ['y2', 5],
      ],
      [
        ['x2', 4],
        ['width', 3],
        ['yc', 10],
        ['height', 4],
      ],
      [
        ['xc', 4],
        ['width', 3],
      ],
    ] as const) {
      const [ours, theirs]: Record<string, unknown>[] = [{}, {}];
      guardedInterpreter.encode(context, channels(names as never) as never)(ours ?? {}, {});
      expressionInterpreter.encode(context, channels(names as never))(theirs, {});
      expect(ours).toEqual(theirs);
    }
  });
});
