import type { Filter } from '../../../contract/query.js';
import type { SqlType } from './sql-type.js';

// The statements that are printed for an engine. They contain no text of the caller. Members are visible to the caller,
// columns are referenced by index, functions are on the allowlist, and values are bound. The tree is plain JSON, so
// that it can be part of a cache key.

/** A value with its type. */
export type Expression =
  | Literal
  | MemberValue
  | MeasureValue
  | ColumnValue
  | Call
  | Cast
  | Case
  | Aggregate
  | Window
  | Subquery;

/** A constant. Always bound, never printed into the SQL. Dates and intervals are normalized text. */
export interface Literal {
  readonly kind: 'literal';
  readonly type: SqlType;
  readonly value: string | number | boolean | null;
}

/**
 * The value of a dimension, or of a measure with a value per row, in one row of a cube. Occurs only inside a
 * `CubeQuery`.
 */
export interface MemberValue {
  readonly kind: 'member';
  readonly type: SqlType;
  /** Path in the form `cube.member`. */
  readonly path: string;
}

/** The value of a measure for a group of rows. Occurs only until `lowerSelect` converts the select. */
export interface MeasureValue {
  readonly kind: 'measure';
  readonly type: SqlType;
  /** Path in the form `cube.member`. */
  readonly path: string;
}

/** A column of a source in FROM of this select or of an outer select. */
export interface ColumnValue {
  readonly kind: 'column';
  readonly type: SqlType;
  /** Number of the `Source`, unique in the statement. */
  readonly source: number;
  /** Index among the columns of the source, from 0. */
  readonly column: number;
}

/** A function or operator, by its name in the allowlist: `+`, `like`, `date_trunc`, `is_null`, `and`. */
export interface Call {
  readonly kind: 'call';
  readonly type: SqlType;
  readonly name: string;
  readonly args: readonly Expression[];
}

/** A supported type conversion. */
export interface Cast {
  readonly kind: 'cast';
  readonly type: SqlType;
  readonly value: Expression;
  /** Number of digits after the decimal point, if specified. */
  readonly scale?: number;
  /** Total number of digits, or number of characters of `varchar(n)`, if specified. */
  readonly precision?: number;
}

/** `CASE WHEN … THEN … ELSE … END`. The form with an operand is converted to comparisons. */
export interface Case {
  readonly kind: 'case';
  readonly type: SqlType;
  readonly branches: readonly { readonly when: Expression; readonly value: Expression }[];
  readonly otherwise: Expression | null;
}

/** An aggregate over rows or over results, never over a measure. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly type: SqlType;
  readonly name: string;
  /** The arguments; empty for `count(*)`. */
  readonly args: readonly Expression[];
  readonly distinct: boolean;
  readonly filter: Expression | null;
  readonly order: readonly SortKey[];
}

/** A window function, or an aggregate over a window. */
export interface Window {
  readonly kind: 'window';
  readonly type: SqlType;
  readonly name: string;
  readonly args: readonly Expression[];
  readonly filter: Expression | null;
  readonly partition: readonly Expression[];
  readonly order: readonly SortKey[];
  readonly frame: Frame | null;
}

/** The frame of a window function. */
export interface Frame {
  readonly mode: 'rows' | 'range' | 'groups';
  readonly start: FrameBound;
  readonly end: FrameBound;
}

/** One end of a window frame. */
export interface FrameBound {
  readonly at: 'unbounded-preceding' | 'preceding' | 'current' | 'following' | 'unbounded-following';
  readonly offset: number | null;
}

/** A select used as a value. */
export interface Subquery {
  readonly kind: 'subquery';
  readonly type: SqlType;
  readonly form: 'scalar' | 'exists' | 'in';
  /** The left side of `in`; `null` for other forms. */
  readonly operand: Expression | null;
  readonly select: SelectStatement;
}

/** One key of an order. The Postgres default for NULLs (NULL is the greatest value) is made explicit. */
export interface SortKey {
  readonly value: Expression;
  readonly desc: boolean;
  readonly nullsFirst: boolean;
}

/** A column returned by a select. */
export interface OutputColumn {
  readonly name: string;
  readonly type: SqlType;
  /** Whether AS gives the column a name other than its default name. */
  readonly aliased?: boolean;
}

/** A whole statement, or a statement in parentheses. */
export interface SelectStatement {
  readonly with: readonly CommonTable[];
  readonly body: Body;
  /** Sort keys. Empty for a set operation and for a distinct select, which are ordered by an outer select. */
  readonly order: readonly SortKey[];
  readonly limit: number | null;
  readonly offset: number;
  readonly columns: readonly OutputColumn[];
}

/** A table of WITH, never recursive. */
export interface CommonTable {
  /** Number of the table, unique in the statement. */
  readonly id: number;
  readonly statement: SelectStatement;
}

/** A statement without WITH, order, limit and offset. */
export type Body = Select | SetOperation;

/** One select over the sources in FROM. */
export interface Select {
  readonly kind: 'select';
  readonly distinct: boolean;
  /** `null` if the select has no FROM and therefore returns one row. */
  readonly from: Source | null;
  readonly columns: readonly Expression[];
  readonly where: Expression | null;
  /**
   * Whether rows are grouped by the columns that are not aggregates. Every other column is a single aggregate.
   * Expressions over the results, including HAVING, are in an outer select.
   */
  readonly grouped: boolean;
}

/** A set operation: `UNION`, `INTERSECT` or `EXCEPT`. */
export interface SetOperation {
  readonly kind: 'set';
  readonly operator: 'union' | 'intersect' | 'except';
  readonly all: boolean;
  readonly left: SelectStatement;
  readonly right: SelectStatement;
}

/** An item of FROM. `source` is unique in the statement; columns are referenced by source and index. */
export type Source =
  | { readonly kind: 'cube'; readonly source: number; readonly query: CubeQuery }
  | { readonly kind: 'statement'; readonly source: number; readonly statement: SelectStatement }
  | {
      readonly kind: 'common-table';
      readonly source: number;
      readonly id: number;
      readonly columns: readonly OutputColumn[];
    }
  | Join;

/** A join of two sources. It has the columns of both. */
export interface Join {
  readonly kind: 'join';
  readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross';
  readonly left: Source;
  readonly right: Source;
  readonly on: Expression | null;
}

/**
 * A query of one cube or view, the only source of rows. It is planned for the caller like a load query, including the
 * caller's row filters.
 */
export interface CubeQuery {
  /** Name of the cube or view. */
  readonly entity: string;
  /**
   * Whether rows are grouped by the columns that are not measures. Without measures, each combination is returned once.
   */
  readonly grouped: boolean;
  /** Columns in the order of the source's columns. */
  readonly columns: readonly CubeColumn[];
  /**
   * The conditions of WHERE that have an equivalent load query filter. A top-level `inDateRange` acts as the
   * `dateRange` of the query, and rolling windows extend beyond it.
   */
  readonly filters: readonly Filter[];
  /**
   * The other conditions of WHERE: expressions over `MemberValue`s of this entity. Inner selects read only a common
   * table.
   */
  readonly conditions: readonly Expression[];
}

/** A column of a `CubeQuery`. */
export type CubeColumn =
  | { readonly kind: 'dimension'; readonly path: string; readonly type: SqlType }
  | { readonly kind: 'time'; readonly path: string; readonly granularity: string; readonly type: SqlType }
  /** An expression over `MemberValue`s of this entity. */
  | { readonly kind: 'computed'; readonly value: Expression; readonly type: SqlType }
  /** The value for a group of rows, or for one row if rows are not grouped. */
  | { readonly kind: 'measure'; readonly path: string; readonly type: SqlType };
