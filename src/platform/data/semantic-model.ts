import type { Annotation, MetaResponse } from '../../contract/data.js';
import type { Query } from '../../contract/query.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Parameter } from './engine.js';

/**
 * What a model's policies decide by: the grant's own `securityContext` keys, and beside them `platform` with the groups and
 * attributes that the platform vouches for.
 */
export interface SecurityContext {
  readonly platform: { readonly groups: readonly string[]; readonly userAttributes: JsonObject };
  readonly [key: string]: unknown;
}

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
  /** The model as far as the caller may see it. */
  meta(context: SecurityContext, options?: MetaOptions): MetaResponse;
  /** One query per cube and view, of its members, that finds no row: run ahead, it spares the first caller the wait. */
  rehearsals(): readonly QueryPlan[];
}

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
