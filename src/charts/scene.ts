import type { Scene } from 'vega';
import type { TooltipItem } from './tooltip.js';

/** A mark of a drawn chart: bars, or the one line through its items. Groups nest. */
export interface SceneMark {
  readonly marktype?: string;
  readonly role?: string;
  readonly items?: readonly SceneItem[];
}

/** An item of a mark, placed in its group. */
export interface SceneItem extends TooltipItem {
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly defined?: boolean;
  readonly items?: readonly SceneMark[];
}

/** The outermost group of a drawn chart. */
export function sceneRoot(scene: Scene): SceneMark {
  return 'root' in scene ? (scene.root as SceneMark) : {};
}

/** Counts the marks of a drawn chart: a line or an area is one, axes, legends and titles are none. */
export function countMarks({ marktype, role, items = [] }: SceneMark): number {
  if (marktype === 'group') {
    return items.flatMap(item => item.items ?? []).reduce((sum, mark) => sum + countMarks(mark), 0);
  }
  if (role !== 'mark' || items.length === 0) return 0;
  return isLine(marktype) ? 1 : items.length;
}

/**
 * The point of a line or an area that is nearest to a place of the chart, across first: a line is too thin to be hit. Null where
 * there is none, or the place is outside the plot.
 */
export function nearestPoint(root: SceneMark, x: number, y: number): SceneItem | null {
  let nearest: PointAway | null = null;
  for (const point of pointsAround(root, x, y)) if (!nearest || isNearer(point, nearest)) nearest = point;
  return nearest?.item ?? null;
}

/** A point of a line or an area, and how far it is from a place. */
interface PointAway {
  readonly item: SceneItem;
  readonly across: number;
  readonly along: number;
}

function* pointsAround({ marktype, role, items = [] }: SceneMark, x: number, y: number): Generator<PointAway> {
  if (marktype === 'group') {
    for (const { x: left = 0, y: top = 0, width, height, items: marks = [] } of items) {
      if (isOutside(x - left, width) || isOutside(y - top, height)) continue;
      for (const mark of marks) yield* pointsAround(mark, x - left, y - top);
    }
  } else if (role === 'mark' && isLine(marktype)) {
    for (const item of items) {
      if (item.defined === false || item.tooltip === undefined || item.tooltip === null) continue;
      yield { item, across: Math.abs((item.x ?? 0) - x), along: Math.abs((item.y ?? 0) - y) };
    }
  }
}

function isNearer(a: PointAway, b: PointAway): boolean {
  return a.across < b.across || (a.across === b.across && a.along < b.along);
}

/** True for marks that are one shape through all their items. */
export function isLine(marktype: string | undefined): boolean {
  return marktype === 'line' || marktype === 'area' || marktype === 'trail';
}

function isOutside(offset: number, length: number | undefined): boolean {
  return length !== undefined && length > 0 && (offset < 0 || offset > length);
}
