/** A value with the values before and after it. Immutable. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

const maxSteps = 100;

/** Returns a history that starts with a value. */
export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

/** Adds a step, which replaces those that were undone. Keeps the last 100 steps. */
export function addStep<T>({ past, present }: History<T>, next: T): History<T> {
  return { past: [...past, present].slice(-maxSteps), present: next, future: [] };
}

/** Undoes the last step. Returns the same history if there is none. */
export function undoStep<T>({ past, present, future }: History<T>): History<T> {
  const last = past.at(-1);
  if (last === undefined) return { past, present, future };
  return { past: past.slice(0, -1), present: last, future: [present, ...future] };
}

/** Redoes the last undone step. Returns the same history if there is none. */
export function redoStep<T>({ past, present, future }: History<T>): History<T> {
  const [next, ...rest] = future;
  if (next === undefined) return { past, present, future };
  return { past: [...past, present], present: next, future: rest };
}
