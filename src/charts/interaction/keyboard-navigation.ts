import { type Box, dataMarks, isLine, type SceneItem, type SceneMark } from '../scene.js';

/** Where somebody without a pointer can stand in a chart: a mark, or a point of a line. */
export interface KeyboardStop {
  readonly item: SceneItem;
  /** What it covers, px of the plot. */
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  /** What its neighbours along are of the same of: a line, a colour. */
  readonly series: unknown;
}

/** What a frame around marks looks like: a box, or a span of the axis where lines and areas lie above each other. */
export type BrushShape = 'box' | 'span';

/** Which way somebody goes: along the chart's main axis, across its series, or to an end. */
export type Step = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** Space around a point, px. */
const around = 5;
/** What stands beside other marks to explain them. */
const explaining = new Set(['text', 'rule']);
/** Nearer than this is the same place, px. */
const same = 0.5;

/**
 * The marks of a chart in the order in which one walks through them: from left to right (from right to left in a mirrored chart), or from top to
 * bottom where bars lie.
 * @param keyOf Tells what an item stands for, so that a label on a bar is no second mark; null for one that stands for nothing.
 */
export class NavigableMarks {
  readonly list: readonly KeyboardStop[];
  readonly #isLying: boolean;
  readonly #isMirrored: boolean;

  constructor(
    root: SceneMark,
    keyOf: (item: SceneItem) => string | null,
    { isMirrored = false }: { readonly isMirrored?: boolean } = {},
  ) {
    this.#isMirrored = isMirrored;
    const groups = [...dataMarks(root)];
    const shapes = groups.filter(({ mark }) => !explaining.has(mark.marktype ?? ''));
    const known = new Set<string>();
    const found: KeyboardStop[] = [];
    for (const { mark, left, top } of shapes.length > 0 ? shapes : groups) {
      for (const item of mark.items ?? []) {
        const key = item.defined === false ? null : keyOf(item);
        if (key === null || known.has(key)) continue;
        known.add(key);
        found.push(keyboardStopOf(item, mark, left, top));
      }
    }
    this.#isLying = isLying(found, isMirrored);
    this.list = found.sort((a, b) => this.#along(a) - this.#along(b) || this.#across(a) - this.#across(b));
  }

  /** How several can be framed. */
  get brush(): BrushShape {
    return this.list.some(({ item }) => isLine(item.mark?.marktype)) ? 'span' : 'box';
  }

  /** Those in a frame: bars and cells that it touches, else what has its middle in it. */
  within(frame: Box): readonly KeyboardStop[] {
    const isSpan = this.brush === 'span';
    return this.list.filter(({ item, box, x, y }) => {
      const [x1, x2] = item.mark?.marktype === 'rect' ? [box.x1, box.x2] : [x, x];
      const [y1, y2] = item.mark?.marktype === 'rect' ? [box.y1, box.y2] : [y, y];
      return x2 >= frame.x1 && x1 <= frame.x2 && (isSpan || (y2 >= frame.y1 && y1 <= frame.y2));
    });
  }

  /** From where to where those lie of which this is true, in runs without others between them. */
  spans(isChosen: (item: SceneItem) => boolean): readonly (readonly [number, number])[] {
    const runs: [number, number][] = [];
    let goesOn = false;
    for (const [x, chosen] of this.#places(isChosen)) {
      const run = goesOn ? runs.at(-1) : undefined;
      if (chosen && run) run[1] = x;
      else if (chosen) runs.push([x, x]);
      goesOn = chosen;
    }
    return this.#isMirrored ? runs.map(([right, left]) => [left, right]) : runs;
  }

  /** Where one comes to from a place in the list; the place itself where there is nothing further that way. */
  next(at: number, step: Step): number {
    const here = this.list[at];
    if (!here) return 0;
    if (step === 'first') return 0;
    if (step === 'last') return this.list.length - 1;
    const isAlong = (step === 'left' || step === 'right') !== this.#isLying;
    const isHorizontal = step === 'left' || step === 'right';
    const isOnward = step === 'right' || step === 'down';
    const sign = isOnward !== (isHorizontal && this.#isMirrored) ? 1 : -1;
    return (isAlong ? this.#onward(at, here, sign) : this.#beside(at, here, sign)) ?? at;
  }

  /** The next one of its own series, else the nearest of the next place; of marks that share one place the next of the list. */
  #onward(at: number, here: KeyboardStop, sign: 1 | -1): number | null {
    let best: number | null = null;
    for (let index = at + sign; index >= 0 && index < this.list.length; index += sign) {
      const station = this.list[index];
      if (!station || Math.abs(this.#along(station) - this.#along(here)) < same) continue;
      const nearest = best === null ? undefined : this.list[best];
      if (nearest && Math.abs(this.#along(station) - this.#along(nearest)) >= same) break;
      if (station.series === here.series) return index;
      const isNearer = !nearest || this.#away(station, here) < this.#away(nearest, here);
      if (isNearer) best = index;
    }
    return best;
  }

  #beside(at: number, here: KeyboardStop, sign: 1 | -1): number | null {
    for (let index = at + sign; index >= 0 && index < this.list.length; index += sign) {
      const station = this.list[index];
      if (!station || Math.abs(this.#along(station) - this.#along(here)) >= same) break;
      if (Math.abs(this.#across(station) - this.#across(here)) >= same) return index;
    }
    return null;
  }

  /** Each place along the axis, and whether one of those there is chosen. */
  #places(isChosen: (item: SceneItem) => boolean): ReadonlyMap<number, boolean> {
    const places = new Map<number, boolean>();
    for (const { item, x } of this.list) places.set(x, places.get(x) || isChosen(item));
    return places;
  }

  #away(a: KeyboardStop, b: KeyboardStop): number {
    return Math.abs(this.#across(a) - this.#across(b));
  }

  #along({ x, y }: KeyboardStop): number {
    return this.#isLying ? y : this.#isMirrored ? -x : x;
  }

  #across({ x, y }: KeyboardStop): number {
    return this.#isLying ? (this.#isMirrored ? -x : x) : y;
  }
}

function keyboardStopOf(item: SceneItem, mark: SceneMark, left: number, top: number): KeyboardStop {
  const { marktype } = mark;
  const bounds = isLine(marktype) ? undefined : item.bounds;
  const [x = 0, y = 0] = [item.x, item.y];
  const box = bounds ?? { x1: x - around, y1: y - around, x2: x + around, y2: y + around };
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
 * True for horizontal bars: all have the same height and different widths, also if they are stacked. Bars of equal size are horizontal if
 * more of them begin at one place across than end at one place down.
 */
function isLying(stations: readonly KeyboardStop[], isMirrored: boolean): boolean {
  const bars = stations.filter(({ item }) => item.mark?.marktype === 'rect');
  if (bars.length < 2 || bars.length < stations.length) return false;
  const spread = (of: (station: KeyboardStop) => number) => new Set(bars.map(station => Math.round(of(station)))).size;
  const range = (of: (box: Box) => number) => {
    const sizes = bars.map(({ box }) => of(box));
    return Math.max(...sizes) - Math.min(...sizes);
  };
  // Edges on whole pixels make bars of one band size differ by one.
  const [isEvenlyHigh, isEvenlyWide] = [range(box => box.y2 - box.y1) <= 1.5, range(box => box.x2 - box.x1) <= 1.5];
  if (isEvenlyHigh !== isEvenlyWide) return isEvenlyHigh && spread(({ box }) => box.y1) > 1;
  return (
    spread(({ box }) => (isMirrored ? box.x2 : box.x1)) < spread(({ box }) => box.y2) && spread(({ box }) => box.y1) > 1
  );
}
