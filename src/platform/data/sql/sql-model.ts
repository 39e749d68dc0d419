import type { SqlDialect } from '../engines/engine.js';
import type { Access } from '../model/access-control.js';
import type { Statement } from '../semantic-model.js';
import type { TimeZone } from '../time/time-zone.js';
import type { SqlType } from './sql-type.js';
import type { CubeQuery, SelectStatement } from './tree.js';

/** What a member's values are: null where it has none of that kind. */
export interface MemberTypes {
  /** Of one row. */
  readonly row: SqlType | null;
  /** Of a group of rows: of a measure alone. */
  readonly group: SqlType | null;
}

/** The model as statements see it: as far as it is the caller's. Made for each statement. */
export interface SqlModel {
  readonly access: Access;
  readonly dialect: SqlDialect;
  /** Of the query. */
  readonly timezone: TimeZone;
  /** What `now()` is, and relative dates count from. */
  readonly now: Date;
  /** Types by path of members that the caller sees; asked for once a statement, for those alone that may occur in it. */
  memberTypes(paths: readonly string[]): Promise<ReadonlyMap<string, MemberTypes>>;
  /**
   * Plans what is asked of one cube or view as a load query is: checked, with the caller's row filters, without order and limit. An
   * `inDateRange` that stands alone among the filters is what a `dateRange` asks for: rolling windows reach beyond it.
   * @throws PlatformError 400 for what can't be had.
   */
  planCube(query: CubeQuery): CubePlan;
}

/** A planned `CubeQuery`. */
export interface CubePlan {
  /** Stands for all that its rows depend on beside the version of model and data, as `QueryPlan.key` does. */
  readonly key: string;
  /** One column per column of the query, in its order. Throws as `planCube` does. */
  statement(place: CubePlace): Statement;
}

/** Where in a larger statement the SQL of a `CubeQuery` is written. */
export interface CubePlace {
  /** Number of its first parameter: what stands before has those that are smaller. */
  readonly firstParameter: number;
  /**
   * SQL of a select that is a value inside a condition or a computed column: it reads a common table of the statement around, and has
   * no parameter.
   */
  subSelect(statement: SelectStatement): string;
}
