/**
 * Finds by name: exactly, else without regard to case. A name that isn't quoted arrives in small letters, whatever the model writes; one
 * with others was quoted, and is meant exactly.
 * @returns all that have the name: more than one where it is ambiguous.
 */
export function named<T>(all: readonly T[], name: string, nameOf: (one: T) => string | undefined): readonly T[] {
  const exact = all.filter(one => nameOf(one) === name);
  if (exact.length > 0 || name !== name.toLowerCase()) return exact;
  return all.filter(one => nameOf(one)?.toLowerCase() === name);
}

const longest = 100;

/** A caller's name as a message shows it: in quotes where it is no plain word, and without what can't be seen. */
export function shown(...names: readonly string[]): string {
  const name = names.join('.');
  if (/^[\w.]+$/.test(name) && name.length <= longest) return name;
  return `"${name.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, longest)}"`;
}
