import type { Query } from '@cubejs-client/core';
import type { Caller } from '../platform.js';

/**
 * A query for the client. The protocol supports `measureFilter`, `joinHints` and custom granularities, but the client's
 * types do not.
 */
export type ClientQuery = Omit<Query, 'timeDimensions' | 'filters' | 'order'> & {
  readonly timeDimensions?: readonly object[];
  readonly filters?: readonly object[];
  readonly order?: object;
  readonly joinHints?: readonly (readonly string[])[];
};

/** A query and the SQL statement that defines its expected result. */
export interface Case {
  readonly name: string;
  /** One query, or several queries for a blend. */
  readonly query: ClientQuery | readonly ClientQuery[];
  /**
   * Hand-written, including the tenant's filter. Columns have the names of the response. If it has an order, the rows
   * must have the same order. A comparison or blend has one statement per result.
   */
  readonly sql: string | readonly string[];
  /** Statement for the number of rows without limit and offset, if the query requests it. */
  readonly total?: string;
  /** Response format of the rows; `default` if not set. */
  readonly format?: 'default' | 'compact' | 'columnar';
  /** The caller; `ord` if not set. */
  readonly caller?: Caller;
}
