import { describe, expect, it } from 'vitest';
import { guardedInterpreter as guarded } from '../../../src/charts/expressions/expression-interpreter.js';

type Node = { type: string; [key: string]: unknown };
const identifier = (name: string): Node => ({ type: 'Identifier', name });
const literal = (value: unknown): Node => ({ type: 'Literal', value });
const read = (object: Node, name: string): Node => ({
  type: 'MemberExpression',
  object,
  property: identifier(name),
  computed: false,
});
const readComputed = (object: Node, property: Node): Node => ({
  type: 'MemberExpression',
  object,
  property,
  computed: true,
});
const call = (name: string, ...args: Node[]): Node => ({
  type: 'CallExpression',
  callee: identifier(name),
  arguments: args,
});

const context = { functions: {} };
const evaluate = (ast: Node, datum: unknown): unknown => guarded.parameter(context, { ast })(datum, {});
const datum = identifier('datum');

describe('members', () => {
  it('reads data, nested and computed', () => {
    const row = { 'orders.status': 'new', orders: { status: 'old' }, list: [1, 2] };
    expect(evaluate(readComputed(datum, literal('orders.status')), row)).toBe('new');
    expect(evaluate(read(read(datum, 'orders'), 'status'), row)).toBe('old');
    expect(evaluate(read(read(datum, 'list'), 'length'), row)).toBe(2);
  });

  it('cannot access the page', () => {
    const element = new EventTarget();
    const item = { _svg: element, mark: { group: { element } } };
    expect(evaluate(read(datum, '_svg'), item)).toBeUndefined();
    const joined: Node = { type: 'BinaryExpression', operator: '+', left: literal('_s'), right: literal('vg') };
    expect(evaluate(readComputed(datum, joined), item)).toBeUndefined();
    expect(evaluate(read(read(read(datum, 'mark'), 'group'), 'element'), item)).toBeUndefined();
  });

  it('cannot access functions', () => {
    expect(evaluate(read(datum, 'constructor'), {})).toBeUndefined();
    expect(evaluate(read(datum, 'toString'), 'text')).toBeUndefined();
  });

  it('is also restricted in arrays, objects and calls', () => {
    const hidden = read(datum, '_svg');
    const item = { _svg: new EventTarget() };
    expect(evaluate({ type: 'ArrayExpression', elements: [hidden] }, item)).toEqual([undefined]);
    const object = {
      type: 'ObjectExpression',
      properties: [{ type: 'Property', key: identifier('a'), value: hidden }],
    };
    expect(evaluate(object, item)).toEqual({ a: undefined });
    expect(evaluate(call('if', literal(true), hidden, literal(1)), item)).toBeUndefined();
  });
});

describe('encoding', () => {
  const encode = (channel: string, value: unknown): unknown => {
    const item: Record<string, unknown> = {};
    guarded.encode(context, { marktype: 'symbol', channels: { [channel]: { ast: literal(value) } } })(item, {});
    return item[channel];
  };

  it.each(['red', '#123456', 'rgb(1, 2, 3)', 'hsl(120deg 50% 50% / 0.5)', 'color-mix(in srgb, red, rgb(0 0 0))'])(
    'accepts the color %s',
    color => {
      expect(encode('fill', color)).toBe(color);
      expect(encode('stroke', color)).toBe(color);
    },
  );

  it.each([
    'url(https://x.test/a.svg#b)',
    'URL(https://x.test)',
    'u\\72l(https://x.test)',
    'red url(https://x.test)',
    'image-set("https://x.test" 1x)',
    'color-mix(in srgb, url(https://x.test), red)\\',
    'var(--x)',
    'color-mix(in srgb, url(https://x.test), red)',
  ])('rejects the color %s', color => {
    expect(encode('fill', color)).toBeNull();
    expect(encode('cursor', color)).toBeNull();
  });

  it('computes a tooltip on demand, and no description', () => {
    const item: Record<string, unknown> = { datum: { total: 1 } };
    const channels = { tooltip: { ast: read(datum, 'total') }, description: { ast: literal('text') } };
    guarded.encode(context, { marktype: 'rect', channels })(item, {});
    expect(item).not.toHaveProperty('description');
    item.datum = { total: 2 };
    expect(typeof item.tooltip === 'function' && item.tooltip()).toBe(2);
  });

  it('accepts links to pages only', () => {
    expect(encode('href', 'https://x.test/')).toBe('https://x.test/');
    expect(encode('href', 'java\nscript:alert(1)')).toBeNull();
  });

  it('keeps gradients, numbers and named cursors', () => {
    const gradient = { gradient: 'linear', stops: [] };
    expect(encode('fill', gradient)).toBe(gradient);
    expect(encode('opacity', 0.5)).toBe(0.5);
    expect(encode('cursor', 'col-resize')).toBe('col-resize');
  });
});

describe('time', () => {
  const at = Date.UTC(2001, 0, 1, 5);

  it('is read in UTC', () => {
    const parts = ['year', 'month', 'date', 'hours'].map(name => evaluate(call(name, datum), at));
    expect(parts).toEqual([2001, 0, 1, 5]);
    expect(evaluate(call('timezoneoffset', datum), at)).toBe(0);
  });

  it('is created in UTC', () => {
    expect(evaluate(call('datetime', literal(2001), literal(0), literal(1), literal(5)), null)).toEqual(new Date(at));
    expect(evaluate(call('datetime', literal(at)), null)).toEqual(new Date(at));
    expect(evaluate(call('datetime', literal('2001-01-01T05:00:00Z')), null)).toEqual(new Date(at));
  });

  it('uses wall-clock time for the current time', () => {
    const now = new Date(Number(evaluate(call('now'), null)));
    expect(Math.abs(now.getUTCHours() - new Date().getHours()) % 23).toBeLessThanOrEqual(1);
  });
});
