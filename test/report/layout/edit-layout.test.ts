import { describe, expect, it } from 'vitest';
import {
  addItem,
  duplicateItem,
  inReadingOrder,
  moveItem,
  removeItem,
  resizeItem,
} from '../../../src/report/layout/edit-layout.js';
import type { GridItem } from '../../../src/report/layout/grid-layout.js';
import fc, { casesAtDepth } from '../../property.js';

const columns = 12;
const item = (id: string, x: number, y: number, w: number, h: number): GridItem => ({ id, x, y, w, h });
const row = [item('a', 0, 0, 4, 4), item('b', 4, 0, 4, 4), item('c', 8, 0, 4, 4)];
const at = (items: readonly GridItem[], id: string) => items.find(each => each.id === id);

describe('editing a layout', () => {
  it('moves an item, and the items that it meets down', () => {
    const moved = moveItem(row, 'a', 4, 0, columns);
    expect(moved.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(at(moved, 'a')).toEqual(item('a', 4, 0, 4, 4));
    expect(at(moved, 'b')).toEqual(item('b', 4, 4, 4, 4));
    expect(at(moved, 'c')).toEqual(item('c', 8, 0, 4, 4));
  });

  it('lets an item change places with one above or below it', () => {
    const stacked = [item('a', 0, 0, 4, 4), item('b', 0, 4, 4, 6), item('c', 0, 10, 4, 2)];
    const down = [item('a', 0, 6, 4, 4), item('b', 0, 0, 4, 6), item('c', 0, 10, 4, 2)];
    expect(moveItem(stacked, 'a', 0, 6, columns)).toEqual(down);
    expect(moveItem(down, 'a', 0, 2, columns)).toEqual(stacked);
  });

  it('moves an item below a wide one whose lower half it overlaps, which cannot move up', () => {
    const wide = [item('a', 0, 0, 4, 4), item('b', 4, 0, 4, 4), item('c', 0, 4, 12, 6)];
    expect(at(moveItem(wide, 'a', 0, 7, columns), 'a')).toEqual(item('a', 0, 10, 4, 4));
    expect(moveItem(wide, 'a', 0, 5, columns)).toEqual(wide);
  });

  it('moves an item up to the next one above it', () => {
    expect(at(moveItem(row, 'a', 0, 9, columns), 'a')).toEqual(item('a', 0, 0, 4, 4));
    expect(at(moveItem(row, 'a', 6, 9, columns), 'a')).toEqual(item('a', 6, 4, 4, 4));
  });

  it('keeps an item inside the columns', () => {
    expect(at(moveItem(row, 'c', 11, 0, columns), 'c')).toMatchObject({ x: 8 });
    expect(at(moveItem(row, 'a', -3, -3, columns), 'a')).toMatchObject({ x: 0, y: 0 });
    expect(at(resizeItem(row, 'c', 9, 0, columns), 'c')).toMatchObject({ w: 4, h: 2 });
  });

  it('resizes an item, and moves the items that it meets down', () => {
    const resized = resizeItem(row, 'a', 6, 6, columns);
    expect(at(resized, 'a')).toEqual(item('a', 0, 0, 6, 6));
    expect(at(resized, 'b')).toEqual(item('b', 4, 6, 4, 4));
  });

  it('adds an item at the first place where it fits', () => {
    const gap = [item('a', 0, 0, 4, 4), item('c', 8, 0, 4, 4)];
    expect(at(addItem(gap, { id: 'n', w: 4, h: 4 }, columns), 'n')).toEqual(item('n', 4, 0, 4, 4));
    expect(at(addItem(row, { id: 'n', w: 6, h: 4 }, columns), 'n')).toEqual(item('n', 0, 4, 6, 4));
    expect(at(addItem([], { id: 'n', w: 20, h: 4 }, columns), 'n')).toEqual(item('n', 0, 0, 12, 4));
  });

  it('closes the gap of a removed item', () => {
    const stacked = [item('a', 0, 0, 4, 4), item('b', 0, 4, 4, 4)];
    expect(removeItem(stacked, 'a')).toEqual([item('b', 0, 0, 4, 4)]);
  });

  it('copies an item next to it, or to the first free place', () => {
    const [first] = row;
    expect(at(duplicateItem(first ? [first] : [], { id: 'a', copy: 'd' }, columns), 'd')).toEqual(
      item('d', 4, 0, 4, 4),
    );
    expect(at(duplicateItem(row, { id: 'a', copy: 'd' }, columns), 'd')).toEqual(item('d', 0, 4, 4, 4));
  });

  it('leaves a layout unchanged for an unknown item', () => {
    expect(moveItem(row, 'x', 1, 1, columns)).toEqual(row);
    expect(duplicateItem(row, { id: 'x', copy: 'd' }, columns)).toEqual(row);
  });

  it('never overlaps items, leaves the columns, loses an item or leaves a gap above one', () => {
    const size = fc.record({ w: fc.integer({ min: 1, max: 12 }), h: fc.integer({ min: 2, max: 8 }) });
    const action = fc.record({
      kind: fc.constantFrom('move', 'resize', 'remove', 'copy'),
      of: fc.nat(30),
      x: fc.integer({ min: -3, max: 15 }),
      y: fc.integer({ min: -3, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(size, { maxLength: 20 }), fc.array(action, { maxLength: 12 }), (sizes, actions) => {
        let items = sizes.reduce<GridItem[]>(
          (sum, each, index) => addItem(sum, { id: String(index), ...each }, columns),
          [],
        );
        for (const { kind, of, x, y } of actions) {
          const count = items.length;
          const id = items[of % Math.max(1, count)]?.id ?? '';
          if (kind === 'move') items = moveItem(items, id, x, y, columns);
          if (kind === 'resize') items = resizeItem(items, id, x, y, columns);
          if (kind === 'remove') items = removeItem(items, id);
          if (kind === 'copy') items = duplicateItem(items, { id, copy: `${count}-${of}-${x}-${y}` }, columns);
          const change = { move: 0, resize: 0, remove: -1, copy: 1 }[kind];
          expect(items).toHaveLength(count === 0 ? 0 : count + change);
          expectValid(items, { isCompact: kind !== 'copy' });
        }
      }),
      { numRuns: casesAtDepth(1000) },
    );
  });
});

function expectValid(items: readonly GridItem[], { isCompact }: { readonly isCompact: boolean }): void {
  const cells = new Set<string>();
  for (const { x, y, w, h } of items) {
    expect(x >= 0 && y >= 0 && x + w <= columns).toBe(true);
    for (let column = x; column < x + w; column += 1) {
      for (let line = y; line < y + h; line += 1) {
        expect(cells.has(`${column} ${line}`)).toBe(false);
        cells.add(`${column} ${line}`);
      }
    }
  }
  if (!isCompact) return;
  for (const { x, y, w } of inReadingOrder(items)) {
    const above = Array.from({ length: w }, (_, offset) => cells.has(`${x + offset} ${y - 1}`));
    expect(y === 0 || above.includes(true)).toBe(true);
  }
}
