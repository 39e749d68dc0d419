import { expect, it } from 'vitest';
import { insertionIndex } from '../../../src/report/layout/insertion-index.js';

const at = (left: number, top: number) => ({ left, right: left + 100, top, bottom: top + 30 });

it.each([
  ['before the first', { x: 10, y: 10 }, 0],
  ['in the second half of the first', { x: 60, y: 10 }, 1],
  ['behind the line', { x: 400, y: 20 }, 2],
  ['between two lines', { x: 0, y: 35 }, 2],
  ['in the second line', { x: 20, y: 50 }, 2],
  ['below all', { x: 0, y: 200 }, 3],
])('inserts among elements in lines: %s', (_, point, index) => {
  const lines = [at(0, 0), at(110, 0), at(0, 40)];
  expect(insertionIndex(lines, { ...point, isMirrored: false })).toBe(index);
  const mirrored = lines.map(({ left, right, ...edges }) => ({ ...edges, left: 500 - right, right: 500 - left }));
  expect(insertionIndex(mirrored, { y: point.y, x: 500 - point.x, isMirrored: true })).toBe(index);
});
