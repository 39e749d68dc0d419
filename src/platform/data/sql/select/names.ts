/**
 * Finds by name: exactly, else without regard to case where that leaves one. A name that isn't quoted arrives in small letters, whatever
 * the model writes.
 * @returns all that have the name: more than one where it is ambiguous.
 */
export function named<T>(all: readonly T[], name: string, nameOf: (one: T) => string | undefined): readonly T[] {
  const exact = all.filter(one => nameOf(one) === name);
  if (exact.length > 0) return exact;
  return all.filter(one => nameOf(one)?.toLowerCase() === name.toLowerCase());
}
