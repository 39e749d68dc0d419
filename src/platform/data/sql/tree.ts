import type { Filter } from '../../../contract/query.js';
import type { SqlType } from './sql-type.js';

// The statements that we print for an engine. Nothing of a caller's text is in them: names are those of visible members, columns by
// place, functions of our list; values are bound. All of it is JSON, so that it can stand in the key of a plan.

/** A value. Every expression knows its type. */
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
  | SubSelect;

/** A constant: bound, never printed into the text. Dates and intervals as text that was read. */
export interface Literal {
  readonly kind: 'literal';
  readonly type: SqlType;
  readonly value: string | number | boolean | null;
}

/** A member's value of one row of a cube: a dimension, or a measure that has one. Stands only in what a `CubeQuery` is asked for. */
export interface MemberValue {
  readonly kind: 'member';
  readonly type: SqlType;
  /** `cube.member`. */
  readonly path: string;
}

/** A measure's value of a group of rows. Stands only between reading and lowering. */
export interface MeasureValue {
  readonly kind: 'measure';
  readonly type: SqlType;
  /** `cube.member`. */
  readonly path: string;
}

/** A column of something that stands in FROM, of this select or of one around it. */
export interface ColumnValue {
  readonly kind: 'column';
  readonly type: SqlType;
  /** Of the `Source`: unique in the whole statement. */
  readonly source: number;
  /** Place among the columns of the source, from 0. */
  readonly column: number;
}

/** A function or an operator of our list, by its own name there: `+`, `like`, `date_trunc`, `is_null`, `and`. */
export interface Call {
  readonly kind: 'call';
  readonly type: SqlType;
  readonly name: string;
  readonly args: readonly Expression[];
}

/** A conversion that our list of conversions has. */
export interface Cast {
  readonly kind: 'cast';
  readonly type: SqlType;
  readonly value: Expression;
  /** Digits after the point, where the type was given with them. */
  readonly scale?: number;
  /** Digits in all, where the type was given with them; characters, of `varchar(n)`. */
  readonly precision?: number;
}

/** `CASE WHEN … THEN … ELSE … END`; the form with an operand was written out. */
export interface Case {
  readonly kind: 'case';
  readonly type: SqlType;
  readonly branches: readonly { readonly when: Expression; readonly value: Expression }[];
  readonly otherwise: Expression | null;
}

/** An aggregate over rows or over results; never a measure's. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly type: SqlType;
  readonly name: string;
  /** None for `count(*)`. */
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

/** The rows around a row that a window function sees. */
export interface Frame {
  readonly mode: 'rows' | 'range' | 'groups';
  readonly start: FrameBound;
  readonly end: FrameBound;
}

/** One end of a frame. */
export interface FrameBound {
  readonly at: 'unbounded-preceding' | 'preceding' | 'current' | 'following' | 'unbounded-following';
  readonly offset: number | null;
}

/** A select that is a value. */
export interface SubSelect {
  readonly kind: 'sub-select';
  readonly type: SqlType;
  readonly form: 'scalar' | 'exists' | 'in';
  /** Of `in`. */
  readonly operand: Expression | null;
  readonly select: SelectStatement;
}

/** One key of an order. Postgres' default is written out: NULL is the greatest value. */
export interface SortKey {
  readonly value: Expression;
  readonly desc: boolean;
  readonly nullsFirst: boolean;
}

/** A column that a select has. */
export interface OutputColumn {
  readonly name: string;
  readonly type: SqlType;
  /** Whether it has another name, by AS, than it would have without. */
  readonly aliased?: boolean;
}

/** A whole statement, or one in parentheses. */
export interface SelectStatement {
  readonly with: readonly CommonTable[];
  readonly body: Body;
  /** Any value of the select; none of a set operation, nor of a select that is distinct: those are ordered by a select around them. */
  readonly order: readonly SortKey[];
  readonly limit: number | null;
  readonly offset: number;
  readonly columns: readonly OutputColumn[];
}

/** A statement of WITH, never a recursive one. */
export interface CommonTable {
  /** Unique in the whole statement. */
  readonly id: number;
  readonly statement: SelectStatement;
}

/** What a statement orders and cuts. */
export type Body = Select | SetOperation;

/** One select over what stands in FROM. */
export interface Select {
  readonly kind: 'select';
  readonly distinct: boolean;
  /** Null without FROM: one row. */
  readonly from: Source | null;
  readonly columns: readonly Expression[];
  readonly where: Expression | null;
  /**
   * Whether rows are put together by the columns that are no aggregates; all others are, and nothing but one. What is made of them, HAVING
   * too, stands in a select around it.
   */
  readonly grouped: boolean;
}

/** `UNION`, `INTERSECT`, `EXCEPT`. */
export interface SetOperation {
  readonly kind: 'set';
  readonly operator: 'union' | 'intersect' | 'except';
  readonly all: boolean;
  readonly left: SelectStatement;
  readonly right: SelectStatement;
}

/** What stands in FROM. `source` is unique in the whole statement; columns are named by it and their place. */
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

/** Two sources together; its columns are those of both. */
export interface Join {
  readonly kind: 'join';
  readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross';
  readonly left: Source;
  readonly right: Source;
  readonly on: Expression | null;
}

/**
 * The only way to rows: what is asked of one cube or view. It is planned for the caller as a load query is, with the caller's row filters
 * inside.
 */
export interface CubeQuery {
  /** Name of the cube or view. */
  readonly entity: string;
  /** Whether rows are put together by the columns that are no measures; without measures, each combination is there once. */
  readonly grouped: boolean;
  /** In the order of the source's columns. */
  readonly columns: readonly CubeColumn[];
  /**
   * What of WHERE is a filter of a load query with the very same meaning. An `inDateRange` that stands alone here is what a `dateRange`
   * asks for: rolling windows reach beyond it.
   */
  readonly filters: readonly Filter[];
  /** The rest of WHERE: each an expression over `MemberValue`s of this entity. A select inside reads nothing but a common table. */
  readonly conditions: readonly Expression[];
}

/** A column of a `CubeQuery`. */
export type CubeColumn =
  | { readonly kind: 'dimension'; readonly path: string; readonly type: SqlType }
  | { readonly kind: 'time'; readonly path: string; readonly granularity: string; readonly type: SqlType }
  /** A value over `MemberValue`s of this entity. */
  | { readonly kind: 'computed'; readonly value: Expression; readonly type: SqlType }
  /** Of a group of rows; where rows are not grouped, of the row. */
  | { readonly kind: 'measure'; readonly path: string; readonly type: SqlType };
