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

/** A query made ready to run: our SQL with the caller's row filters inside, never shown to the caller. */
export interface QueryPlan {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly columns: readonly PlannedColumn[];
  readonly annotation: Annotation;
  /** The query as it was understood: defaults filled in, no row filter. */
  readonly query: Query & { readonly limit: number; readonly timezone: string };
}

/** A compiled semantic model. One instance is one version; it serves every caller. */
export interface SemanticModel {
  /** Changes whenever a model file did. */
  readonly version: string;
  /**
   * Turns a query into SQL for this caller.
   * @throws PlatformError 400 for what is invalid, unknown or hidden (told alike).
   */
  plan(query: Query, context: SecurityContext): QueryPlan;
  /** The model as far as the caller may see it. */
  meta(context: SecurityContext): MetaResponse;
  /** One small query per cube and view that finds no row: run ahead, it spares the first caller the wait. */
  rehearsals(): readonly QueryPlan[];
}
