import { type Box, dataMarks, isLine, type SceneItem, type SceneMark } from '../scene.js';

/** A keyboard stop in a chart: a mark, or a point of a line. */
export interface KeyboardStop {
  readonly item: SceneItem;
  /** Bounds of the mark, px of the plot. */
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  /** The line or color that the stop shares with the other stops of its series. */
  readonly series: unknown;
}

/** Shape of the brush: a box, or a span of the axis for charts of lines and areas. */
export type BrushShape = 'box' | 'span';

/** Direction of a move: along the main axis, across the series, or to the first or last mark. */
export type Step = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** Padding around a point, px. */
const pointPadding = 5;
/** Mark types that annotate other marks. */
const annotationTypes = new Set(['text', 'rule']);
/** Distance below which two positions are treated as equal, px. */
const minDistance = 0.5;

/**
 * The marks of a chart in keyboard order: from left to right (from right to left if the chart is mirrored), or from top
 * to bottom for horizontal bars.
 * @param keyOf Returns the key of an item, so that a label on a bar is not a second stop; `null` for items that
 * represent nothing.
 */
export class NavigableMarks {
  readonly list: readonly KeyboardStop[];
  readonly #hasHorizontalBars: boolean;
  readonly #isMirrored: boolean;

  constructor(
    root: SceneMark,
    keyOf: (item: SceneItem) => string | null,
    { isMirrored = false }: { readonly isMirrored?: boolean } = {},
  ) {
    this.#isMirrored = isMirrored;
    const groups = [...dataMarks(root)];
    const shapes = groups.filter(({ mark }) => !annotationTypes.has(mark.marktype ?? ''));
    const knownKeys = new Set<string>();
    const found: KeyboardStop[] = [];
    for (const { mark, left, top } of shapes.length > 0 ? shapes : groups) {
      for (const item of mark.items ?? []) {
        const key = item.defined === false ? null : keyOf(item);
        if (key === null || knownKeys.has(key)) continue;
        knownKeys.add(key);
        found.push(keyboardStopOf(item, mark, left, top));
      }
    }
    this.#hasHorizontalBars = hasHorizontalBars(found, { isMirrored });
    this.list = found.sort((a, b) => this.#along(a) - this.#along(b) || this.#across(a) - this.#across(b));
  }

  /** The brush that fits the marks. */
  get brush(): BrushShape {
    return this.list.some(({ item }) => isLine(item.mark?.marktype)) ? 'span' : 'box';
  }

  /** Returns the marks in a frame: bars and cells that intersect it, and other marks whose center is in it. */
  within(frame: Box): readonly KeyboardStop[] {
    const isSpan = this.brush === 'span';
    return this.list.filter(({ item, box, x, y }) => {
      const [x1, x2] = item.mark?.marktype === 'rect' ? [box.x1, box.x2] : [x, x];
      const [y1, y2] = item.mark?.marktype === 'rect' ? [box.y1, box.y2] : [y, y];
      return x2 >= frame.x1 && x1 <= frame.x2 && (isSpan || (y2 >= frame.y1 && y1 <= frame.y2));
    });
  }

  /** Returns the ranges of `x` in which all items are chosen. */
  spans(isChosen: (item: SceneItem) => boolean): readonly (readonly [number, number])[] {
    const runs: [number, number][] = [];
    let isRunOpen = false;
    for (const [x, chosen] of this.#places(isChosen)) {
      const run = isRunOpen ? runs.at(-1) : undefined;
      if (chosen && run) run[1] = x;
      else if (chosen) runs.push([x, x]);
      isRunOpen = chosen;
    }
    return this.#isMirrored ? runs.map(([right, left]) => [left, right]) : runs;
  }

  /** Returns the index of the next stop in a direction; the same index at the end. */
  next(at: number, step: Step): number {
    const here = this.list[at];
    if (!here) return 0;
    if (step === 'first') return 0;
    if (step === 'last') return this.list.length - 1;
    const isAlong = (step === 'left' || step === 'right') !== this.#hasHorizontalBars;
    const isHorizontal = step === 'left' || step === 'right';
    const isOnward = step === 'right' || step === 'down';
    const sign = isOnward !== (isHorizontal && this.#isMirrored) ? 1 : -1;
    return (isAlong ? this.#nextAlong(at, here, sign) : this.#nextAcross(at, here, sign)) ?? at;
  }

  /**
   * Returns the next stop of the same series, otherwise the nearest stop at the next position. Stops at the same
   * position keep the order of the list.
   */
  #nextAlong(at: number, here: KeyboardStop, sign: 1 | -1): number | null {
    let best: number | null = null;
    for (let index = at + sign; index >= 0 && index < this.list.length; index += sign) {
      const stop = this.list[index];
      if (!stop || Math.abs(this.#along(stop) - this.#along(here)) < minDistance) continue;
      const nearest = best === null ? undefined : this.list[best];
      if (nearest && Math.abs(this.#along(stop) - this.#along(nearest)) >= minDistance) break;
      if (stop.series === here.series) return index;
      const isNearer = !nearest || this.#distanceAcross(stop, here) < this.#distanceAcross(nearest, here);
      if (isNearer) best = index;
    }
    return best;
  }

  #nextAcross(at: number, here: KeyboardStop, sign: 1 | -1): number | null {
    for (let index = at + sign; index >= 0 && index < this.list.length; index += sign) {
      const stop = this.list[index];
      if (!stop || Math.abs(this.#along(stop) - this.#along(here)) >= minDistance) break;
      if (Math.abs(this.#across(stop) - this.#across(here)) >= minDistance) return index;
    }
    return null;
  }

  /** Returns each `x` position, and whether one of its items is chosen. */
  #places(isChosen: (item: SceneItem) => boolean): ReadonlyMap<number, boolean> {
    const places = new Map<number, boolean>();
    for (const { item, x } of this.list) places.set(x, places.get(x) || isChosen(item));
    return places;
  }

  #distanceAcross(a: KeyboardStop, b: KeyboardStop): number {
    return Math.abs(this.#across(a) - this.#across(b));
  }

  #along(stop: KeyboardStop): number {
    return this.#hasHorizontalBars ? stop.y : this.#inReadingDirection(stop);
  }

  #across(stop: KeyboardStop): number {
    return this.#hasHorizontalBars ? this.#inReadingDirection(stop) : stop.y;
  }

  #inReadingDirection({ x }: KeyboardStop): number {
    return this.#isMirrored ? -x : x;
  }
}

function keyboardStopOf(item: SceneItem, mark: SceneMark, left: number, top: number): KeyboardStop {
  const { marktype } = mark;
  const bounds = isLine(marktype) ? undefined : item.bounds;
  const [x = 0, y = 0] = [item.x, item.y];
  const box = bounds ?? { x1: x - pointPadding, y1: y - pointPadding, x2: x + pointPadding, y2: y + pointPadding };
  const placed = { x1: box.x1 + left, y1: box.y1 + top, x2: box.x2 + left, y2: box.y2 + top };
  return {
    item,
    box: placed,
    x: (placed.x1 + placed.x2) / 2,
    y: (placed.y1 + placed.y2) / 2,
    series: isLine(marktype) ? mark : (item.fill ?? item.stroke),
  };
}

/**
 * True for horizontal bars, including stacked ones: their heights are equal and their widths differ. If all bars have
 * the same size, they are horizontal if there are fewer distinct left edges than bottom edges (right edges if
 * mirrored).
 */
function hasHorizontalBars(stops: readonly KeyboardStop[], { isMirrored }: { readonly isMirrored: boolean }): boolean {
  const bars = stops.filter(({ item }) => item.mark?.marktype === 'rect');
  if (bars.length < 2 || bars.length < stops.length) return false;
  const spread = (of: (stop: KeyboardStop) => number) => new Set(bars.map(stop => Math.round(of(stop)))).size;
  const range = (of: (box: Box) => number) => {
    const sizes = bars.map(({ box }) => of(box));
    return Math.max(...sizes) - Math.min(...sizes);
  };
  // Snapping to whole pixels makes bars of equal band size differ by one pixel.
  const [isEvenlyHigh, isEvenlyWide] = [range(box => box.y2 - box.y1) <= 1.5, range(box => box.x2 - box.x1) <= 1.5];
  if (isEvenlyHigh !== isEvenlyWide) return isEvenlyHigh && spread(({ box }) => box.y1) > 1;
  return (
    spread(({ box }) => (isMirrored ? box.x2 : box.x1)) < spread(({ box }) => box.y2) && spread(({ box }) => box.y1) > 1
  );
}
