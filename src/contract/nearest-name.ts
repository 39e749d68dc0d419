/** Maximum length of names, and maximum number of names, that are compared by edit distance. */
const limits = { letters: 40, names: 1000 } as const;

/** Suggests the known name that is most similar to an unknown one; `undefined` if none is similar enough. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const typed = name.toLowerCase();
  if (typed.length > limits.letters) return undefined;
  let nearest: string | undefined;
  // At most a quarter of the letters may differ, and at most three letters.
  let bound = Math.min(Math.floor(typed.length / 4), 3);
  let compared = 0;
  for (const one of known) {
    if (one === name || Math.abs(one.length - typed.length) > bound) continue;
    if (++compared > limits.names) break;
    const distance = distanceOf(typed, one.toLowerCase());
    if (distance > bound || (nearest !== undefined && distance === bound)) continue;
    nearest = one;
    bound = distance;
  }
  return nearest;
}

/** Returns the edit distance: insertions, deletions, substitutions and swaps of adjacent letters. */
function distanceOf(one: string, other: string): number {
  const far = Number.POSITIVE_INFINITY;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 0; line < one.length; line += 1) {
    const next = [line + 1];
    for (let place = 0; place < other.length; place += 1) {
      const isSame = one.charAt(line) === other.charAt(place);
      const isSwapped =
        place > 0 && one.charAt(line) === other.charAt(place - 1) && one.charAt(line - 1) === other.charAt(place);
      const swapped = isSwapped ? (before[place - 1] ?? far) + 1 : far;
      const changed = (row[place] ?? far) + (isSame ? 0 : 1);
      next.push(Math.min(changed, swapped, (row[place + 1] ?? far) + 1, (next[place] ?? far) + 1));
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? far;
}
