import { describe, expect, it } from 'vitest';
import { type Table, tableJson } from '../../../../src/platform/data/answers/row-json.js';
import type { EngineCell } from '../../../../src/platform/data/engines/engine.js';
import fc, { anyText } from '../../../property.js';

const layouts = ['default', 'compact', 'columnar'] as const;
type Layout = (typeof layouts)[number];

const written = (layout: Layout | undefined, table: Table) => [...tableJson(layout, table)];
const read = (layout: Layout | undefined, table: Table): unknown => JSON.parse(written(layout, table).join(''));

/** Returns the expected rows of a layout. */
function expected(layout: Layout, { members, columns }: Table): unknown {
  const rows = (columns[0] ?? []).map((_, row) => columns.map(column => column[row]));
  if (layout === 'columnar') return { members, columns };
  if (layout === 'compact') return { members, dataset: rows };
  return rows.map(cells => Object.fromEntries(members.map((member, index) => [member, cells[index]])));
}

const cell: fc.Arbitrary<EngineCell> = fc.oneof(
  anyText(),
  fc.constantFrom('"', '\\', '\u2028', '\ud800', '</script>', '\u007f', ''),
  fc.boolean(),
  fc.constant(null),
);

describe('tableJson', () => {
  it.each(layouts)('equals JSON.stringify in the layout %s', layout => {
    const table = fc
      .record({ width: fc.integer({ min: 1, max: 4 }), length: fc.integer({ min: 0, max: 5 }) })
      .chain(({ width, length }) =>
        fc.array(fc.array(cell, { minLength: length, maxLength: length }), { minLength: width, maxLength: width }),
      )
      .map(columns => ({ members: columns.map((_, index) => `t.m${index}`), columns }));
    fc.assert(
      fc.property(table, one => {
        expect(read(layout, one)).toEqual(JSON.parse(JSON.stringify(expected(layout, one))));
      }),
    );
  });

  it('returns records by default', () => {
    expect(read(undefined, { members: ['t.a'], columns: [['x']] })).toEqual([{ 't.a': 'x' }]);
  });

  it.each(layouts)('returns pieces of limited size: %s', layout => {
    const column = Array.from({ length: 50_000 }, (_, index) => `value ${index}`);
    const table = { members: ['t.a', 't.b'], columns: [column, column] };
    const pieces = written(layout, table);
    expect(pieces.length).toBeGreaterThan(5);
    expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(200_000);
    expect(JSON.parse(pieces.join(''))).toEqual(expected(layout, table));
  });

  it('does not repeat long names in every row', () => {
    const column = new Array<string>(3_000_000).fill('1');
    const table = { members: ['orders.name', 'orders.count'], columns: [column, column] };
    const refusal = expect.objectContaining({ status: 400, message: expect.stringContaining('"columnar"') });
    expect(() => tableJson('default', table)).toThrow(refusal);
    expect(() => tableJson('columnar', table)).not.toThrow();
  });
});
