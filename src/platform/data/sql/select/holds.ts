import { someOf } from '../rewrite.js';
import type { Expression } from '../tree.js';

/** Whether a value is worked out of groups of rows; selects inside it are their own matter. */
export function holdsAggregate(value: Expression): boolean {
  return someOf(value, ({ kind }, isInside) => !isInside && (kind === 'aggregate' || kind === 'measure'));
}

/** Whether a value is worked out of the rows around a row. */
export function holdsWindow(value: Expression): boolean {
  return someOf(value, ({ kind }, isInside) => !isInside && kind === 'window');
}
