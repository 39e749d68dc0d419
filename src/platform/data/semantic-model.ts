import type { Annotation, MemberFormat } from '../../contract/data.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { SecurityContext } from '../auth/principal.js';
import type { ConvertedSql } from '../http/route-deps.js';
import type { Engine, Parameter } from './engines/engine.js';
import type { SqlType } from './sql/sql-type.js';

/** A column of a planned statement. */
export interface PlannedColumn {
  /** Key in the rows: `cube.member`, or `cube.member.granularity`. */
  readonly member: string;
  readonly kind: 'measure' | 'dimension' | 'timeDimension';
}

/** SQL that includes the caller's row filters. It is never returned to the caller. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

/** A planned query. Every name was checked for this caller and every date is absolute. SQL is generated on demand. */
export interface QueryPlan {
  /**
   * Identifies everything that the rows depend on except the versions of model and data: the normalized query and what
   * the caller may read. Callers share a response only if their keys are equal.
   */
  readonly key: string;
  readonly columns: readonly PlannedColumn[];
  readonly annotation: Annotation;
  /** The normalized query: defaults are filled in, row filters are not included. */
  readonly query: NormalizedQuery;
  /**
   * Returns the SQL for the rows, with columns in the order of `columns`.
   * @throws PlatformError 400 if the members of the query can't be joined.
   */
  statement(): Statement;
  /** Returns the SQL that counts the rows without limit and offset. Throws as `statement` does. */
  totalStatement(): Statement;
}

/** A query with defaults filled in. */
export type NormalizedQuery = Query & { readonly limit: number; readonly timezone: string };

/** A compiled semantic model. An instance is one version of the model and serves all callers. */
export interface SemanticModel {
  /** Version that changes whenever a model file changes. */
  readonly version: string;
  /**
   * Plans a query (without `compareDateRange`) for this caller.
   * @throws PlatformError 400 for invalid, unknown or hidden names. The messages for unknown and hidden names are
   * identical.
   */
  plan(query: Query, context: SecurityContext): QueryPlan;
  /**
   * Returns the part of the model that is visible to the caller.
   * @param context - `null` for the public part.
   */
  meta(context: SecurityContext | null, options?: MetaOptions): MetaResponse;
  /**
   * Plans semantic SQL for this caller.
   * @throws PlatformError 400 with the position of an invalid, unknown or hidden name (unknown and hidden names are
   * reported alike), or of a construct that has no equivalent with Postgres semantics.
   */
  planSql(request: SqlRequest, context: SecurityContext, engine: ColumnDescriber): Promise<SqlPlan>;
  /**
   * Converts semantic SQL to the equivalent load query.
   * @param context - the caller; `null` for the public part of the model, for conversions that read no data, such as
   * when a report is published.
   * @throws PlatformError 400 as `planSql` for SQL that can't be run; with code `no_load_query` (a `NoLoadQuery`) for
   * valid SQL that no load query can express.
   */
  convertSql(text: string, context: SecurityContext | null, engine: ColumnDescriber): Promise<ConvertedSql>;
  /**
   * Returns one query per cube and view that covers its members. Running them in advance reduces the latency of the
   * first query.
   */
  rehearsals(): readonly QueryPlan[];
}

/** A request with semantic SQL, as sent to `/v1/sql`. */
export interface SqlRequest {
  /** One SELECT in the Postgres dialect over cubes and views. */
  readonly text: string;
  /** IANA name of the time zone; UTC by default. */
  readonly timezone?: string;
}

/** A column of a planned SQL statement. */
export interface SqlColumn {
  readonly name: string;
  readonly type: SqlType;
  /** `cube.member` or `cube.member.granularity`, if the column is exactly one member. */
  readonly member?: string;
  readonly format?: MemberFormat;
  /** Title of the member, if the SQL gives the column no alias. */
  readonly title?: string;
  /** Granularity to which a time is truncated. */
  readonly granularity?: string;
}

/**
 * Planned semantic SQL. Every name was checked for this caller, and the statement contains none of the original text.
 */
export interface SqlPlan {
  /** Identifies everything that the rows depend on except the versions of model and data, as `QueryPlan.key` does. */
  readonly key: string;
  readonly columns: readonly SqlColumn[];
  /** Returns the SQL for the engine, including the caller's row filters. */
  statement(): Statement;
}

/** The part of an engine that SQL planning needs to determine the types of members from their columns. */
export type ColumnDescriber = Pick<Engine, 'describe' | 'dataVersion'>;

/** Options of `SemanticModel.meta`. */
export interface MetaOptions {
  /** Whether to return only views, without cubes. */
  readonly onlyViews?: boolean;
}

/** A model that may be replaced while it is in use. */
export interface LiveModel {
  /** The newest version that compiled successfully. */
  readonly current: SemanticModel;
}
