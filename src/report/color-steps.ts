/** How many steps a scale of colours has. */
export const colorSteps = 5;

/** A scale of colours in steps. What is on both sides of zero diverges from it: the step in the middle holds zero. */
export interface ColorSteps {
  readonly kind: 'sequential' | 'diverging';
  readonly from: number;
  readonly to: number;
  /** Step of a value, 0 to 4. */
  readonly step: (value: number) => number;
}

/** A scale that holds these values; null where there is none. */
export function stepsOf(values: Iterable<number>): ColorSteps | null {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (least > most) return null;
  const diverges = least < 0 && most > 0;
  const reach = Math.max(-least, most);
  const [from, to] = diverges ? [-reach, reach] : [least, most];
  // Halves, since the width of what ranges from the least to the greatest double is none.
  const width = to / 2 - from / 2;
  const last = colorSteps - 1;
  const step = (value: number): number => {
    // One value alone is as strong as a colour gets.
    if (width === 0) return last;
    return Math.max(0, Math.min(last, Math.floor(((value / 2 - from / 2) / width) * colorSteps)));
  };
  return { kind: diverges ? 'diverging' : 'sequential', from, to, step };
}
