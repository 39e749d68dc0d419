import { describe, expect, it } from 'vitest';
import type { Cell, Row } from '../../../src/contract/data.js';
import { textWidth } from '../../../src/report/format/text-width.js';
import { type Flows, layOutFlows, maxMarks, readFlows, type SankeyShapes } from '../../../src/report/sankey/sankey.js';
import { DrawingError } from '../../../src/report/table/report-columns.js';
import fc from '../../property.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const from = columnOf('flights.origin', 'string');
const to = columnOf('flights.destination', 'string');
const count = columnOf('flights.count', 'number');

const row = (source: unknown, target: unknown, value: unknown = 1) =>
  ({ 'flights.origin': source, 'flights.destination': target, 'flights.count': value }) as Row;

function flows(rows: readonly Row[], spec: Record<string, unknown> = {}): Flows {
  return readFlows({ id: 1, reportId: 1, versionNumber: 1, spec }, rowSetOf([from, to, count], rows));
}

/** Flows as source, target and value. */
function summaryOf({ nodes, links }: Flows): readonly (readonly [Cell | undefined, Cell | undefined, number])[] {
  return links.map(({ source, target, value }) => [nodes[source]?.value, nodes[target]?.value, value]);
}

const names = ({ nodes }: Flows): string[] => nodes.map(({ value }) => String(value));

function isCircular({ nodes, links }: Flows): boolean {
  const state = nodes.map(() => 0);
  const walk = (at: number): boolean => {
    if (state[at] === 1) return true;
    if (state[at] === 2) return false;
    state[at] = 1;
    const circles = links.some(link => link.source === at && walk(link.target));
    state[at] = 2;
    return circles;
  };
  return nodes.some((_, index) => walk(index));
}

describe('readFlows', () => {
  it('sums rows with the same source and target, by the first two dimensions and the first measure', () => {
    const read = flows([row('ATL', 'LAX', '3'), row('ATL', 'DFW', 2), row('ATL', 'LAX', 4)]);
    expect(summaryOf(read)).toEqual([
      ['ATL', 'LAX', 7],
      ['ATL', 'DFW', 2],
    ]);
    expect(read.links[0]?.mark).toEqual({
      values: { 'flights.origin': 'ATL', 'flights.destination': 'LAX' },
      measure: 'flights.count',
    });
    expect(read.nodes[0]?.mark.values).toEqual({ 'flights.origin': 'ATL' });
  });

  it('uses the columns that the report names', () => {
    const read = flows([row('ATL', 'LAX')], { source: 'flights.destination', target: 'flights.origin' });
    expect(summaryOf(read)).toEqual([['LAX', 'ATL', 1]]);
    expect(summaryOf(flows([row('ATL', 'LAX')], { target: 'flights.origin' }))).toEqual([['LAX', 'ATL', 1]]);
  });

  it('reports missing columns', () => {
    const bare = { id: 1, reportId: 1, versionNumber: 1 };
    for (const columns of [[], [from, count], [from, to]]) {
      expect(() => readFlows(bare, rowSetOf(columns, []))).toThrow(DrawingError);
    }
    expect(() => flows([], { source: 'flights.nothing' })).toThrow(/flights\.nothing/);
    expect(() => flows([], { source: 'flights.origin', target: 'flights.origin' })).toThrow(DrawingError);
  });

  it('creates two nodes for a name on both sides', () => {
    const read = flows([row('ATL', 'ATL', 5), row('LAX', 'ATL')]);
    expect(read.nodes.map(({ value, column }) => [value, column.member])).toEqual([
      ['ATL', 'flights.origin'],
      ['ATL', 'flights.destination'],
      ['LAX', 'flights.origin'],
    ]);
    expect(read.circular).toBe(0);
  });

  it('continues from node to node if nodes are shared', () => {
    const read = flows([row('visit', 'cart', 9), row('cart', 'order', 4)], { nodes: 'shared' });
    expect(names(read)).toEqual(['visit', 'cart', 'order']);
    expect(layOut(read).nodes.map(({ layer }) => layer)).toEqual([0, 1, 2]);
  });

  it('omits and counts flows that close a circle, the smallest first', () => {
    const circle = [row('a', 'b', 5), row('b', 'c', 1), row('c', 'a', 9), row('a', 'a', 3)];
    const read = flows(circle, { nodes: 'shared' });
    expect(summaryOf(read)).toEqual([
      ['a', 'b', 5],
      ['c', 'a', 9],
    ]);
    expect(read.circular).toBe(2);
  });

  it('omits and counts values that are not positive', () => {
    const read = flows([
      row('a', 'b', -1),
      row('a', 'b', 0),
      row('a', 'b', null),
      row('a', 'b', 'NaN'),
      row('a', 'b', 2),
    ]);
    expect(summaryOf(read)).toEqual([['a', 'b', 2]]);
    expect(read.unusable).toBe(4);
  });

  it('distinguishes nodes without a name, and names of different types', () => {
    const read = flows([row(null, 'x'), row('null', 'x'), row(1, 'x'), row('1', 'x'), row('__proto__', 'constructor')]);
    expect(read.nodes.length).toBe(7);
  });

  it('draws the largest flows, with a limited number of nodes', () => {
    const read = flows(
      Array.from({ length: 5000 }, (_, index) => row(`s${index % 70}`, `t${Math.floor(index / 70)}`, index + 1)),
    );
    expect(read.links.length).toBe(maxMarks.links);
    expect(read.omitted).toBe(4000);
    expect(Math.min(...read.links.map(({ value }) => value))).toBe(4001);
    const wide = flows(Array.from({ length: 900 }, (_, index) => row(`s${index}`, `t${index}`, index + 1)));
    expect(wide.nodes.length).toBe(maxMarks.nodes);
    expect(wide.omitted).toBe(900 - maxMarks.nodes / 2);
  });

  it('reads a million rows', () => {
    const rows = Array.from({ length: 1_000_000 }, (_, index) => row(`s${index % 10}`, `t${index % 7}`));
    const read = flows(rows);
    expect(read.links.length).toBe(70);
    expect(read.links.reduce((sum, { value }) => sum + value, 0)).toBe(1_000_000);
  });

  it('never contains a circle for any flows', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', null, 1);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name, fc.double({ min: -1, max: 9, noNaN: true }))), given => {
        const read = flows(
          given.map(([source, target, value]) => row(source, target, value)),
          { nodes: 'shared' },
        );
        expect(isCircular(read)).toBe(false);
        const rest = read.unusable + read.circular + read.omitted;
        expect(rest + read.links.length).toBeLessThanOrEqual(given.length);
        layOut(read);
      }),
    );
  });
});

function layOut(read: Flows, room = { width: 600, height: 300 }): SankeyShapes {
  return layOutFlows(read, names(read), room);
}

describe('layOutFlows', () => {
  it('lays out nodes and flows by their values, within the drawing', () => {
    const { nodes, links } = layOut(flows([row('a', 'x', 30), row('a', 'y', 10), row('b', 'y', 20)]));
    const [a, , , b] = nodes;
    expect((a?.height ?? 0) / (b?.height ?? 1)).toBeCloseTo(2, 1);
    expect((links[0]?.width ?? 0) / (links[1]?.width ?? 1)).toBeCloseTo(3, 1);
    for (const { left, top, width, height } of nodes) {
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(600.001);
      expect(top + height).toBeLessThanOrEqual(300.001);
    }
    for (const { path } of links) expect(path).toMatch(/^M[\d.]+,[\d.]+C[\d.,]+$/);
  });

  it('has no overlapping labels, and none outside the drawing', () => {
    const many = Array.from({ length: 90 }, (_, index) =>
      row(`Origin number ${index}`, `Destination ${index % 40}`, 1 + (index % 9)),
    );
    const { nodes } = layOut(flows(many));
    const labels = nodes.flatMap(({ label, layer }) => (label ? [{ ...label, layer }] : []));
    expect(labels.length).toBeGreaterThan(10);
    for (const one of labels) {
      const width = textWidth(one.text);
      const [start, end] = one.anchor === 'end' ? [one.x - width, one.x] : [one.x, one.x + width];
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(600);
      for (const other of labels) {
        if (one !== other && one.layer === other.layer) expect(Math.abs(one.y - other.y)).toBeGreaterThanOrEqual(15);
      }
    }
  });

  it('truncates labels, and omits them if there is no space', () => {
    const read = flows([row('A name that is much longer than its label can be', 'x')]);
    const at = (width: number) => layOut(read, { width, height: 100 }).nodes[0]?.label?.text;
    expect(at(200)).toMatch(/^A name.*…$/);
    expect(at(60)).toBeUndefined();
  });

  it('handles any values', () => {
    const value = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(1e308, 5e-324, Number.MAX_SAFE_INTEGER));
    const size = fc.nat(2000);
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), size, size, (values, width, height) => {
        const read = flows(values.map((figure, index) => row(`s${index % 4}`, `t${index % 5}`, figure)));
        for (const { left, top, height: high } of layOut(read, { width, height }).nodes) {
          expect([left, top, high].every(Number.isFinite)).toBe(true);
        }
      }),
    );
  });
});
