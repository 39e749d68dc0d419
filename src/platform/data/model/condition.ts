import type { FilterOperator } from '../../../contract/query.js';

/** What the values of a member are. */
export const MemberType = { string: 'string', number: 'number', boolean: 'boolean', time: 'time' } as const;
/** What the values of a member are. */
export type MemberType = (typeof MemberType)[keyof typeof MemberType];

/** A condition on one dimension, ready to be printed; times are UTC without a zone. */
export interface Condition {
  readonly type: MemberType;
  readonly operator: FilterOperator;
  readonly values: readonly (string | number | boolean | null)[];
}
