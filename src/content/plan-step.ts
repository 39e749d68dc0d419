import { isDeepStrictEqual } from 'node:util';
import { type Difference, differencesOf } from './differences.js';

/** Effect of a step on an object. */
export const Action = { create: 'create', change: 'change', keep: 'keep' } as const;
/** Effect of a step on an object. */
export type Action = (typeof Action)[keyof typeof Action];

/** Planned step for one object. */
export interface Step<K extends string, F> {
  readonly kind: K;
  readonly name: string;
  readonly action: Action;
  readonly differences: readonly Difference[];
  /** Fields to send. Contains only fields that differ. */
  readonly change: F;
}

/** Returns the action that brings an object to its state in the files. */
export function actionFor(found: object | undefined, { differs }: { readonly differs: boolean }): Action {
  if (!found) return Action.create;
  return differs ? Action.change : Action.keep;
}

/** Compares an object with the desired fields, without those that the file omits. */
export function compare<T extends object>(
  found: T | undefined,
  requested: T,
): { readonly action: Action; readonly differences: Difference[]; readonly change: T } {
  const fields = Object.entries(requested).filter(([, value]) => value !== null && value !== undefined);
  const differing = fields.filter(([field, value]) => !isDeepStrictEqual(Object(found)[field], value));
  const action = actionFor(found, { differs: differing.length > 0 });
  const differences = found
    ? differing.flatMap(([field, value]) => differencesOf(field, Object(found)[field], value))
    : [];
  return { action, differences, change: Object.fromEntries(differing) as T };
}
