import { groupAt, type SvgElement } from './svg-element.js';
import type { Flow, Strip } from './tile-body.js';

const partGap = 14;

/** The strips of a page. */
export interface FlowSlice {
  readonly strips: readonly Strip[];
  readonly height: number;
}

/** Reads the strips of a body page by page. The header of a table is repeated in each slice. */
export class FlowCursor {
  readonly #flows: readonly Flow[];
  #flow = 0;
  #strip = 0;

  constructor(flows: readonly Flow[]) {
    this.#flows = flows.filter(({ strips }) => strips.length > 0);
  }

  /** True for the rows of a table, which have a header. */
  get isTable(): boolean {
    return this.#flows.some(({ head }) => head.length > 0);
  }

  /** True if all strips were read. */
  get isDone(): boolean {
    return this.#flow >= this.#flows.length;
  }

  /** Height of everything in one slice. */
  get height(): number {
    const gaps = Math.max(0, this.#flows.length - 1) * partGap;
    return this.#flows.reduce((total, { head, strips }) => total + heightOf(head) + heightOf(strips), gaps);
  }

  /**
   * Reads the strips that fit a height.
   * @param isWhole True if another page would not offer more space. At least one strip is then read.
   */
  take(availableHeight: number, { isWhole }: { readonly isWhole: boolean }): FlowSlice {
    const taken: Strip[] = [];
    let height = 0;
    while (!this.isDone) {
      const flow = this.#flows[this.#flow];
      if (!flow) break;
      const gap = taken.length > 0 ? partGap : 0;
      const next = flow.strips[this.#strip];
      const head = heightOf(flow.head);
      const isForced = isWhole && taken.length === 0;
      if (!next || (height + gap + head + next.height > availableHeight && !isForced)) break;
      if (gap > 0) taken.push({ height: gap, nodes: [] });
      taken.push(...flow.head);
      height += gap + head;
      const count = this.#takeFrom(flow, availableHeight - height, { isForced, taken });
      height += count;
      if (this.#strip < flow.strips.length) break;
      this.#flow += 1;
      this.#strip = 0;
    }
    return { strips: taken, height };
  }

  /** Adds strips that fit; returns their height. */
  #takeFrom(
    { strips }: Flow,
    availableHeight: number,
    to: { readonly isForced: boolean; readonly taken: Strip[] },
  ): number {
    const from = this.#strip;
    let used = 0;
    for (let strip = strips[from]; strip; strip = strips[this.#strip]) {
      if (used + strip.height > availableHeight && !(to.isForced && used === 0)) break;
      const isTop = this.#strip === from && from > 0;
      to.taken.push(isTop && strip.topNodes ? { height: strip.height, nodes: strip.topNodes } : strip);
      used += strip.height;
      this.#strip += 1;
    }
    return used;
  }
}

function heightOf(strips: readonly Strip[]): number {
  return strips.reduce((total, { height }) => total + height, 0);
}

/** Stacks strips below each other. */
export function stackStrips(strips: readonly Strip[]): SvgElement[] {
  let y = 0;
  return strips.map(({ height, nodes }) => {
    const node = groupAt(0, y, nodes);
    y += height;
    return node;
  });
}
