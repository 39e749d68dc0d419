import type { Scene } from 'vega';
import type { TooltipItem } from './interaction/tooltip.js';

/** A mark of a drawn chart: bars, or the one line through its items. Groups nest. */
export interface SceneMark {
  readonly marktype?: string;
  readonly role?: string;
  readonly name?: string;
  readonly items?: readonly SceneItem[];
}

/** An item of a mark, placed in its group. */
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

/** Corners of what is drawn, px from the group that it is in. */
export interface Box {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** An item, and where its group begins in the plot. */
interface PlacedItem {
  readonly item: SceneItem;
  readonly mark: SceneMark;
  readonly left: number;
  readonly top: number;
}

/** The outermost group of a drawn chart. */
export function sceneRoot(scene: Scene): SceneMark {
  return 'root' in scene ? (scene.root as SceneMark) : {};
}

/** The marks of a drawn chart that stand for data, with the groups they are in; no axes, legends or titles. */
export function* dataMarks(root: SceneMark, left = 0, top = 0): Generator<Omit<PlacedItem, 'item'>> {
  const { marktype, role, items = [] } = root;
  if (marktype === 'group') {
    for (const { x = 0, y = 0, items: marks = [] } of items) {
      for (const mark of marks) yield* dataMarks(mark, left + x, top + y);
    }
  } else if (role === 'mark' && items.length > 0) yield { mark: root, left, top };
}

/** Counts the marks of a drawn chart: a line or an area is one, axes, legends and titles are none. */
export function countMarks(root: SceneMark): number {
  let count = 0;
  for (const { mark } of dataMarks(root)) count += isLine(mark.marktype) ? 1 : (mark.items?.length ?? 0);
  return count;
}

/**
 * The point of a line or an area that is nearest to a place of the chart, across first: a line is too thin to be hit. Null where
 * there is none, or the place is outside the plot.
 */
export function nearestPoint(root: SceneMark, x: number, y: number): PointAway | null {
  let nearest: PointAway | null = null;
  for (const point of pointsAround(root, x, y)) if (!nearest || isNearer(point, nearest)) nearest = point;
  return nearest;
}

/** The topmost mark at a place of the chart, by what it covers; lines are too thin to cover anything. */
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

/** A point of a line or an area, and its signed distance from a place, px. */
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

/** True for marks that are one shape through all their items. */
export function isLine(marktype: string | undefined): boolean {
  return marktype === 'line' || marktype === 'area' || marktype === 'trail';
}

function isOutside(offset: number, length: number | undefined): boolean {
  return length !== undefined && length > 0 && (offset < 0 || offset > length);
}

/** What is left of a mark that was not chosen. */
const fadedOpacity = 0.3;

/**
 * Fades marks of a scene. An item keeps its own opacity beside: Vega's data flow must find it as it left it, so that what was faded is
 * undone before each run.
 */
export class MarkFader {
  readonly #before = new Map<SceneItem, number | undefined>();
  #isChosen: ((item: SceneItem) => boolean) | null = null;

  /** @param onChange Called with every item whose opacity changes. */
  constructor(private readonly onChange: (item: SceneItem) => void) {}

  /** All but the items of which this is true are faded from now on; null fades none. */
  choose(isChosen: ((item: SceneItem) => boolean) | null): void {
    this.#isChosen = isChosen;
  }

  /** Gives all items their own opacity. */
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
      // A line has the opacity of its first point.
      if (!isLine(mark.marktype)) for (const item of items) this.#fade(item, isChosen(item));
      else if (first) this.#fade(first, items.some(isChosen));
    }
  }

  #fade(item: SceneItem, chosen: boolean): void {
    if (chosen) return;
    this.#before.set(item, item.opacity);
    item.opacity = (item.opacity ?? 1) * fadedOpacity;
    this.onChange(item);
  }
}
