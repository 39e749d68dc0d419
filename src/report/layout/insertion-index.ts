/** Edges of an element, px. */
export interface Edges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A position, px. */
interface Point {
  readonly x: number;
  readonly y: number;
  /** Whether the elements run from right to left. */
  readonly isMirrored: boolean;
}

/** Returns the index at which an element is inserted among elements that run in lines, like words. */
export function insertionIndex(elements: readonly Edges[], { x, y, isMirrored }: Point): number {
  const index = elements.findIndex(({ left, right, top, bottom }) => {
    if (y < top) return true;
    const middle = (left + right) / 2;
    return y <= bottom && (isMirrored ? x > middle : x < middle);
  });
  return index < 0 ? elements.length : index;
}
