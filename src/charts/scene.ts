import type { Scene } from 'vega';
import type { TooltipItem } from './interaction/tooltip.js';

/** A mark of a rendered chart: bars, or the line through its items. Groups can be nested. */
export interface SceneMark {
  readonly marktype?: string;
  readonly role?: string;
  readonly name?: string;
  readonly items?: readonly SceneItem[];
  readonly bounds?: { readonly y2: number };
}

/** An item of a mark, positioned relative to its group. */
export interface SceneItem extends TooltipItem {
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly defined?: boolean;
  readonly items?: readonly SceneMark[];
  readonly datum?: unknown;
  readonly bounds?: Box;
  opacity?: number | undefined;
}

/** Bounds of an item, px relative to its group. */
export interface Box {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** An item and the offset of its group within the plot. */
interface PlacedItem {
  readonly item: SceneItem;
  readonly mark: SceneMark;
  readonly left: number;
  readonly top: number;
}

/** Returns the outermost group of a rendered chart. */
export function sceneRoot(scene: Scene): SceneMark {
  return 'root' in scene ? (scene.root as SceneMark) : {};
}

/** Iterates over the marks that represent data, with the offset of their groups. Skips axes, legends and titles. */
export function* dataMarks(root: SceneMark, left = 0, top = 0): Generator<Omit<PlacedItem, 'item'>> {
  const { marktype, role, items = [] } = root;
  if (marktype === 'group') {
    for (const { x = 0, y = 0, items: marks = [] } of items) {
      for (const mark of marks) yield* dataMarks(mark, left + x, top + y);
    }
  } else if (role === 'mark' && items.length > 0) yield { mark: root, left, top };
}

/**
 * Counts the data marks of a rendered chart. A line or area counts as one mark; axes, legends and titles do not count.
 */
export function countMarks(root: SceneMark): number {
  let count = 0;
  for (const { mark } of dataMarks(root)) count += isLine(mark.marktype) ? 1 : (mark.items?.length ?? 0);
  return count;
}

/**
 * Returns the point of a line or area that is nearest to a position, by horizontal distance first, because lines are
 * too thin to hit. `null` if there is no such point or the position is outside the plot.
 */
export function nearestPoint(root: SceneMark, x: number, y: number): PointAway | null {
  let nearest: PointAway | null = null;
  for (const point of pointsAround(root, x, y)) if (!nearest || isNearer(point, nearest)) nearest = point;
  return nearest;
}

/** Returns the topmost mark whose bounds contain a position. Lines are skipped because they are too thin to hit. */
export function itemUnder(root: SceneMark, x: number, y: number): SceneItem | null {
  let found: SceneItem | null = null;
  for (const { mark, left, top } of dataMarks(root)) {
    if (isLine(mark.marktype)) continue;
    const covers = ({ bounds }: SceneItem) =>
      bounds && x - left >= bounds.x1 && x - left <= bounds.x2 && y - top >= bounds.y1 && y - top <= bounds.y2;
    found = mark.items?.findLast(covers) ?? found;
  }
  return found;
}

/** A point of a line or area, and its signed distance from a position, px. */
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
      yield { item, across: (item.x ?? 0) - x, along: (item.y ?? 0) - y };
    }
  }
}

function isNearer(a: PointAway, b: PointAway): boolean {
  const [across, other] = [Math.abs(a.across), Math.abs(b.across)];
  return across < other || (across === other && Math.abs(a.along) < Math.abs(b.along));
}

/** True for mark types that draw one shape through all items. */
export function isLine(marktype: string | undefined): boolean {
  return marktype === 'line' || marktype === 'area' || marktype === 'trail';
}

function isOutside(offset: number, length: number | undefined): boolean {
  return length !== undefined && length > 0 && (offset < 0 || offset > length);
}

/** Opacity factor of marks that are not selected. */
const fadedOpacity = 0.3;

/**
 * Fades marks of a scene and stores the original opacity of each item. Vega's data flow requires the original opacity,
 * so call `undo` before each run and `redo` after it.
 */
export class MarkFader {
  readonly #before = new Map<SceneItem, number | undefined>();
  #isChosen: ((item: SceneItem) => boolean) | null = null;

  /** @param onChange Called with each item whose opacity changes. */
  constructor(private readonly onChange: (item: SceneItem) => void) {}

  /** Sets which items are not faded; `null` fades none. Takes effect with the next `redo`. */
  choose(isChosen: ((item: SceneItem) => boolean) | null): void {
    this.#isChosen = isChosen;
  }

  /** Restores the original opacity of all items. */
  undo(): void {
    for (const [item, opacity] of this.#before) {
      if (opacity === undefined) delete item.opacity;
      else item.opacity = opacity;
      this.onChange(item);
    }
    this.#before.clear();
  }

  /** Fades the items of a scene. */
  redo(root: SceneMark): void {
    const isChosen = this.#isChosen;
    if (!isChosen) return;
    for (const { mark } of dataMarks(root)) {
      const items = mark.items ?? [];
      const [first] = items;
      // A line has the opacity of its first point, so fade a line only as a whole.
      if (!isLine(mark.marktype)) for (const item of items.filter(item => !isChosen(item))) this.#fade(item);
      else if (first && !items.some(isChosen)) this.#fade(first);
    }
  }

  #fade(item: SceneItem): void {
    this.#before.set(item, item.opacity);
    item.opacity = (item.opacity ?? 1) * fadedOpacity;
    this.onChange(item);
  }
}
