import type { Query } from '@cubejs-client/core';
import type { Caller } from '../platform.js';

/**
 * A query as the client is given it. Its types know no `measureFilter`, `joinHints` or granularities of a model; the protocol does.
 */
export type ClientQuery = Omit<Query, 'timeDimensions' | 'filters' | 'order'> & {
  readonly timeDimensions?: readonly object[];
  readonly filters?: readonly object[];
  readonly order?: object;
  readonly joinHints?: readonly (readonly string[])[];
};

/** One query, and the statement that says what it means. */
export interface Case {
  readonly name: string;
  /** Several make a blend. */
  readonly query: ClientQuery | readonly ClientQuery[];
  /**
   * Written by hand, the tenant's filter too; its columns are named as in the answer. Rows have to come in its order where it has
   * one. Several statements stand for the several results of a comparison or a blend.
   */
  readonly sql: string | readonly string[];
  /** How many rows there are without limit and offset, where the query asks for it. */
  readonly total?: string;
  /** The form in which the rows travel; `default` where nothing is said. */
  readonly format?: 'default' | 'compact' | 'columnar';
  /** Who asks; `ord` where nothing is said. */
  readonly caller?: Caller;
}
