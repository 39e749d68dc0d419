import type { Node, WindowDef } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import type { Frame, FrameBound, SortKey } from '../tree.js';
import { isNumber } from './common-type.js';

/** Bits by which the parser tells a frame. */
const bit = {
  written: 0x1,
  range: 0x2,
  rows: 0x4,
  groups: 0x8,
  excluding: 0x8000 | 0x10000 | 0x20000,
} as const;

const starts: readonly (readonly [number, FrameBound['at']])[] = [
  [0x20, 'unbounded-preceding'],
  [0x200, 'current'],
  [0x800, 'preceding'],
  [0x2000, 'following'],
];
const ends: readonly (readonly [number, FrameBound['at']])[] = [
  [0x100, 'unbounded-following'],
  [0x400, 'current'],
  [0x1000, 'preceding'],
  [0x4000, 'following'],
];

/** Reads the frame of a window; null where the default one holds. */
export function readFrame(window: WindowDef, order: readonly SortKey[]): Frame | null {
  const { frameOptions: options = 0, startOffset, endOffset, location: at } = window;
  if ((options & bit.written) === 0) return null;
  if ((options & bit.excluding) !== 0) throw new SqlProblem('EXCLUDE is not supported in a frame', at);
  const mode = (options & bit.rows) !== 0 ? 'rows' : (options & bit.groups) !== 0 ? 'groups' : 'range';
  if (mode === 'groups' && order.length === 0) throw new SqlProblem('GROUPS takes an ORDER BY', at);
  if (
    mode === 'range' &&
    (startOffset || endOffset) &&
    !(order.length === 1 && order[0] && isNumber(order[0].value.type))
  ) {
    throw new SqlProblem('RANGE with an offset takes one ORDER BY of a number; use ROWS', at);
  }
  return { mode, start: boundOf(starts, options, startOffset, at), end: boundOf(ends, options, endOffset, at) };
}

function boundOf(bounds: typeof starts, options: number, offset: Node | undefined, at: number | undefined): FrameBound {
  const [, place] = bounds.find(([flag]) => (options & flag) !== 0) ?? [];
  if (place === undefined) throw new SqlProblem('The frame of the window ends before it begins', at);
  if (place !== 'preceding' && place !== 'following') return { at: place, offset: null };
  const value = offset && 'A_Const' in offset && offset.A_Const.ival ? (offset.A_Const.ival.ival ?? 0) : -1;
  if (value < 0) throw new SqlProblem('The offset of a frame is a whole number that is written out', at);
  return { at: place, offset: value };
}
