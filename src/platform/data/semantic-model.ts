import type { Annotation, MemberFormat } from '../../contract/data.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { SecurityContext } from '../auth/principal.js';
import type { ConvertedSql } from '../http/route-deps.js';
import type { Engine, Parameter } from './engines/engine.js';
import type { SqlType } from './sql/sql-type.js';

/** A column of a planned statement, in select order. */
export interface PlannedColumn {
  /** Key in the rows: `cube.member`, or `cube.member.granularity`. */
  readonly member: string;
  readonly kind: 'measure' | 'dimension' | 'timeDimension';
}

/** SQL with the caller's row filters inside, never shown to the caller. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

/** A query that was understood: every name in it was checked for this caller, every date in it is absolute. SQL is made on demand. */
export interface QueryPlan {
  /**
   * Stands for all that the rows depend on beside the version of model and data: the query as understood, and what the caller may
   * read. Callers share an answer only where their keys are equal.
   */
  readonly key: string;
  readonly columns: readonly PlannedColumn[];
  readonly annotation: Annotation;
  /** The query as it was understood: defaults filled in, no row filter. */
  readonly query: NormalizedQuery;
  /**
   * The rows, in the order of `columns`.
   * @throws PlatformError 400 when the members of the query can't be joined.
   */
  statement(): Statement;
  /** One number: how many rows there are without limit and offset. Throws as `statement` does. */
  totalStatement(): Statement;
}

/** A query as it was understood. */
export type NormalizedQuery = Query & { readonly limit: number; readonly timezone: string };

/** A compiled semantic model. One instance is one version; it serves every caller. */
export interface SemanticModel {
  /** Changes whenever a model file did. */
  readonly version: string;
  /**
   * Reads a query (without `compareDateRange`) for this caller.
   * @throws PlatformError 400 for what is invalid, unknown or hidden (told alike).
   */
  plan(query: Query, context: SecurityContext): QueryPlan;
  /**
   * The model as far as the caller may see it.
   * @param context - null for all that is public.
   */
  meta(context: SecurityContext | null, options?: MetaOptions): MetaResponse;
  /**
   * Reads semantic SQL for this caller.
   * @throws PlatformError 400 that shows where, for what is invalid, unknown, hidden (told alike), or not to be had with Postgres' meaning.
   */
  planSql(request: SqlRequest, context: SecurityContext, engine: Describes): Promise<SqlPlan>;
  /**
   * The load query that semantic SQL is equal to.
   * @param context - the caller; null for all that is public, when nothing is read: as a report is published.
   * @throws PlatformError 400 as `planSql` for what can't be run; with code `no_load_query` (a `NoLoadQuery`) for what can be run, but
   * says what no load query can say.
   */
  convertSql(text: string, context: SecurityContext | null, engine: Describes): Promise<ConvertedSql>;
  /** One query per cube and view, of its members, that finds no row: run ahead, it spares the first caller the wait. */
  rehearsals(): readonly QueryPlan[];
}

/** Semantic SQL: what a caller sent to `/v1/sql`. */
export interface SqlRequest {
  /** One SELECT in the Postgres dialect over cubes and views. */
  readonly text: string;
  /** IANA name; UTC by default. */
  readonly timezone?: string;
}

/** A column of a planned SQL statement. */
export interface SqlColumn {
  readonly name: string;
  readonly type: SqlType;
  /** `cube.member`, or `cube.member.granularity`, where the column is a member's and nothing else. */
  readonly member?: string;
  readonly format?: MemberFormat;
  /** Of the member, where the SQL gives the column no name of its own. */
  readonly title?: string;
  /** That a time is truncated to. */
  readonly granularity?: string;
}

/** Semantic SQL that was understood: every name in it was checked for this caller, and nothing of its text is left. */
export interface SqlPlan {
  /** Stands for all that the rows depend on beside the version of model and data, as `QueryPlan.key` does. */
  readonly key: string;
  readonly columns: readonly SqlColumn[];
  /** SQL for the engine, the caller's row filters inside. */
  statement(): Statement;
}

/** What reading SQL asks of an engine: types of members are those of their columns. */
export type Describes = Pick<Engine, 'describe' | 'dataVersion'>;

/** What of a model is told. */
export interface MetaOptions {
  /** Views alone, without cubes. */
  readonly onlyViews?: boolean;
}

/** A model that may be replaced while it serves. */
export interface LiveModel {
  /** The newest version that compiled. */
  readonly current: SemanticModel;
}
