import type { SqlDialect } from '../engines/engine.js';
import type { Access } from '../model/access-control.js';
import type { Statement } from '../semantic-model.js';
import type { TimeZone } from '../time/time-zone.js';
import type { SqlType } from './sql-type.js';
import type { CubeQuery, SelectStatement } from './tree.js';

/** SQL types of a member. */
export interface MemberTypes {
  /** Type of the value in one row, or `null` if the member has no value per row. */
  readonly row: SqlType | null;
  /** Type of the value for a group of rows, or `null` if the member is not a measure. */
  readonly group: SqlType | null;
}

/** The part of the model that is visible to the caller. One instance exists per statement. */
export interface SqlModel {
  readonly access: Access;
  readonly dialect: SqlDialect;
  /** Time zone of the query. */
  readonly timezone: TimeZone;
  /** The value of `now()` and the reference time of relative dates. */
  readonly now: Date;
  /**
   * Returns the types of members by path. Called once per statement, with only the visible members that may occur in
   * it.
   */
  memberTypes(paths: readonly string[]): Promise<ReadonlyMap<string, MemberTypes>>;
  /**
   * Plans a query of one cube or view with the access checks and row filters of a load query, without order and limit.
   * A top-level `inDateRange` filter acts as the `dateRange` of the query, and rolling windows extend beyond it.
   * @throws PlatformError 400 if the query is invalid.
   */
  planCube(query: CubeQuery): CubePlan;
}

/** A planned `CubeQuery`. */
export interface CubePlan {
  /** Identifies everything that the rows depend on, except the versions of model and data. See `QueryPlan.key`. */
  readonly key: string;
  /**
   * Returns a statement with the columns of the query, in their order.
   * @throws PlatformError 400 if the members cannot be joined.
   */
  statement(place: CubePlace): Statement;
}

/** Position of the SQL of a `CubeQuery` in a larger statement. */
export interface CubePlace {
  /** Number of the first parameter, after the parameters of the preceding SQL. */
  readonly firstParameter: number;
  /**
   * Returns the SQL of a select used as a value in a condition or a computed column. It reads a common table of the
   * outer statement and has no parameters.
   */
  subquery(statement: SelectStatement): string;
}
