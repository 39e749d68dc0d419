/** Compares two values with `<`: returns -1, 0 or 1. Strings are compared by UTF-16 code units. */
export function compareByOrder<T extends string | number | bigint>(value: T, other: T): number {
  if (value < other) return -1;
  return value > other ? 1 : 0;
}
