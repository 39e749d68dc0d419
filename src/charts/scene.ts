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
  let nearest: SceneItem | null = null;
  let [across, along] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const visit = ({ marktype, role, items = [] }: SceneMark, left: number, top: number): void => {
    if (marktype === 'group') {
      for (const group of items) {
        const [atX, atY] = [left + (group.x ?? 0), top + (group.y ?? 0)];
        if (isOutside(x - atX, group.width) || isOutside(y - atY, group.height)) continue;
        for (const mark of group.items ?? []) visit(mark, atX, atY);
      }
    } else if (role === 'mark' && isLine(marktype)) {
      for (const item of items) {
        if (item.defined === false || item.tooltip === undefined || item.tooltip === null) continue;
        const [dx, dy] = [Math.abs(left + (item.x ?? 0) - x), Math.abs(top + (item.y ?? 0) - y)];
        if (dx > across || (dx === across && dy >= along)) continue;
        [nearest, across, along] = [item, dx, dy];
      }
    }
  };
  visit(root, 0, 0);
  return nearest;
}

/** True for marks that are one shape through all their items. */
export function isLine(marktype: string | undefined): boolean {
  return marktype === 'line' || marktype === 'area' || marktype === 'trail';
}

function isOutside(offset: number, length: number | undefined): boolean {
  return length !== undefined && length > 0 && (offset < 0 || offset > length);
}
