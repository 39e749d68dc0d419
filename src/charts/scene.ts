import type { Scene } from 'vega';

interface Mark {
  readonly marktype?: string;
  readonly role?: string;
  readonly items?: readonly Item[];
}
interface Item {
  readonly items?: readonly Mark[];
}

/** Counts the marks of a drawn chart: a line or an area is one, axes, legends and titles are none. */
export function countMarks(scene: Scene): number {
  return 'root' in scene ? countBelow(scene.root as Mark) : 0;
}

function countBelow({ marktype, role, items = [] }: Mark): number {
  if (marktype === 'group') {
    return items.flatMap(item => item.items ?? []).reduce((sum, mark) => sum + countBelow(mark), 0);
  }
  if (role !== 'mark' || items.length === 0) return 0;
  return marktype === 'line' || marktype === 'area' || marktype === 'trail' ? 1 : items.length;
}
