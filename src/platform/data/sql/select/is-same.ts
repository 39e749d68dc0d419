import { isDeepStrictEqual } from 'node:util';
import type { Expression } from '../tree.js';

/** Whether two values are one: they were read from the same words. */
export function isSame(one: Expression, other: Expression): boolean {
  return one.kind === other.kind && isDeepStrictEqual(one, other);
}
