import { describe, expect, it } from 'vitest';
import { ChartErrorCode } from '../../../src/charts/chart-error.js';
import { isVegaLite, maxSpecLength, readSpec, rejectExternalResources } from '../../../src/charts/spec/spec.js';

const code = (expected: string) => expect.objectContaining({ name: 'ChartError', code: expected });

describe('readSpec', () => {
  it('reads JSON text and copies objects', () => {
    expect(readSpec('{"mark":"bar"}')).toEqual({ mark: 'bar' });
    const spec = { mark: { type: 'bar' } };
    expect(readSpec(spec)).toEqual(spec);
    expect(readSpec(spec).mark).not.toBe(spec.mark);
  });

  it.each(['', 'nonsense', '[]', '"text"', 'null', '{'])('rejects %j', text => {
    expect(() => readSpec(text)).toThrow(code(ChartErrorCode.unreadable));
  });

  it('rejects an object that is not JSON', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(() => readSpec(cycle)).toThrow(code(ChartErrorCode.unreadable));
  });

  it('rejects a specification that is too large', () => {
    expect(() => readSpec({ title: 'x'.repeat(maxSpecLength) })).toThrow(code(ChartErrorCode.tooLarge));
  });
});

describe('isVegaLite', () => {
  it.each([
    [{ $schema: 'https://vega.github.io/schema/vega-lite/v5.json', marks: [] }, true],
    [{ $schema: 'https://vega.github.io/schema/vega/v6.json', mark: 'bar' }, false],
    [{ mark: 'bar' }, true],
    [{ hconcat: [] }, true],
    [{ marks: [] }, false],
  ])('recognizes %j', (spec, expected) => {
    expect(isVegaLite(spec)).toBe(expected);
  });
});

describe('rejectExternalResources', () => {
  it.each([
    { data: { url: 'https://x.test/a.csv' } },
    { data: [{ name: 'rows' }, { name: 'a', url: { signal: "'https:' + '//x.test'" } }] },
    { transform: [{ lookup: 'a', from: { data: { url: 'b.json' }, key: 'a' } }] },
    { layer: [{ mark: 'bar' }, { mark: { type: 'image' } }] },
    { mark: 'image' },
    { marks: [{ type: 'group', marks: [{ type: 'image' }] }] },
    { marks: [{ type: 'group', data: [{ name: 'b', url: 'b.json' }] }] },
    { transform: [{ type: 'project', fields: ['_svg.ownerDocument.cookie'] }] },
  ])('rejects %j', spec => {
    expect(() => rejectExternalResources(spec)).toThrow(code(ChartErrorCode.outside));
  });

  it('allows inline data, links and a field named url', () => {
    rejectExternalResources({
      data: { values: [{ url: 'https://x.test', type: 'image', icon: '_svg' }] },
      mark: { type: 'bar', href: 'https://x.test' },
      encoding: { x: { field: 'url' }, href: { field: 'url' } },
    });
  });
});
