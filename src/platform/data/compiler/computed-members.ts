import { type BaseDimension, BaseQuery, type BaseSegment } from '@cubejs-backend/schema-compiler';
import type { Parameter, SqlDialect } from '../engines/engine.js';
import { printExpression } from '../sql/expression/print-expression.js';
import type { Expression, SelectStatement } from '../sql/tree.js';

/** A row-level value that is computed from members. Plain data, because the library uses its JSON as a cache key. */
export interface ComputedMember<P = Piece> {
  /** The cube or view whose members it uses. */
  readonly cubeName: string;
  /** Index among the computed members of the query, from 0. */
  readonly index: number;
  readonly sql: readonly P[];
}

/** A piece of SQL: generated text, or a member or constant that is rendered depending on its context. */
export type Piece = string | { readonly member: string } | { readonly constant: Parameter };

/** A piece of SQL, or a scalar subquery that the surrounding statement renders. */
export type OpenPiece = Piece | { readonly select: SelectStatement };

/** Delimiter around a placeholder. Generated SQL never contains it. */
const mark = '\0';

/**
 * Returns the SQL of a row-level value.
 * @param isText - whether a member has type string; its column may have another type.
 */
export function piecesOf(
  value: Expression,
  { dialect, isText }: { readonly dialect: SqlDialect; isText(path: string): boolean },
): readonly OpenPiece[] {
  const others: Exclude<OpenPiece, string>[] = [];
  const placeholderFor = (piece: Exclude<OpenPiece, string>) => `${mark}${others.push(piece) - 1}${mark}`;
  const text = printExpression(value, {
    dialect,
    bind: constant => placeholderFor({ constant }),
    member: member => (isText(member) ? asText(placeholderFor({ member })) : placeholderFor({ member })),
    column: () => {
      throw new Error('A row-level value of a cube can only reference members');
    },
    statement: select => placeholderFor({ select }),
  });
  return text.split(mark).flatMap((piece, index) => (index % 2 === 0 ? piece : (others[Number(piece)] ?? [])));
}

/** Returns SQL that casts a value of any type to text. */
export function asText(sql: string): string {
  return `CAST(${sql} AS VARCHAR)`;
}

/** Returns the paths of the members that SQL references. */
export function pathsOf(sql: readonly OpenPiece[]): readonly string[] {
  return sql.flatMap(piece => (typeof piece === 'object' && 'member' in piece ? piece.member : []));
}

/** Whether a piece is a scalar subquery. */
export function isSelect(piece: OpenPiece): piece is { readonly select: SelectStatement } {
  return typeof piece === 'object' && 'select' in piece;
}

/** Replaces the subqueries of a member with SQL text. */
export function fillSelects(
  { sql, ...member }: ComputedMember<OpenPiece>,
  write: (select: SelectStatement) => string,
): ComputedMember {
  return { ...member, sql: sql.map(piece => (isSelect(piece) ? write(piece.select) : piece)) };
}

/** A cube or view as the library passes it to SQL functions. `toString` of a member renders its SQL. */
type Members = Readonly<Record<string, { toString(): string }>>;

/** An object from which the library collects members. */
type Collected = { getMembers(): readonly object[] };

/** Whether a member of a query is computed instead of defined in the model. */
export function isComputed(member: object): boolean {
  return 'isMemberExpression' in member && member.isMemberExpression === true;
}

/** A query with computed members for grouping and filtering. */
export class ExpressionQuery extends BaseQuery {
  override newDimension(member: string | ComputedMember): BaseDimension {
    return super.newDimension(typeof member === 'string' ? member : memberExpression(this, member));
  }

  override newSegment(member: string | ComputedMember): BaseSegment {
    return super.newSegment(typeof member === 'string' ? member : memberExpression(this, member));
  }

  /**
   * Collects data from members. The library caches the result for all queries of the model, with the text of the
   * member's function as the key. Functions of computed members have the same text in different queries, so their
   * results are cached per query.
   */
  override collectFrom<T>(
    members: unknown[],
    collect: (traverse: () => void) => T,
    method: string | string[],
    cache?: unknown,
  ): T {
    const parts = (members as Collected[]).flatMap(member => member.getMembers());
    if (!parts.some(isComputed)) return super.collectFrom(members, collect, method, cache);
    const collected = parts.flatMap(part => {
      const memberCache = isComputed(part) ? this.queryCache : cache;
      return super.collectFrom<T>([{ getMembers: () => [part] }], collect, method, memberCache);
    });
    return [...new Map(collected.map(one => [JSON.stringify(one), one])).values()] as T;
  }
}

/**
 * Returns a computed member in the library's format: a function of the cube's members. The library reads the function's
 * text to find its parameters, and identifies the member by `definition`. The name contains a space, so it never equals
 * the name of a model member.
 */
function memberExpression(query: ExpressionQuery, { cubeName, index: position, sql }: ComputedMember) {
  let constants: readonly string[] | undefined;
  const expression = (members: Members) => {
    // Allocate once, because the library calls this function several times to generate the same text.
    constants ??= sql.map(piece =>
      typeof piece === 'object' && 'constant' in piece ? query.paramAllocator.allocateParam(piece.constant) : '',
    );
    return sql
      .map((piece, index) => {
        if (typeof piece === 'string') return piece;
        return 'member' in piece ? memberSql(query, members, piece.member) : constants?.[index];
      })
      .join('');
  };
  const name = `computed ${position}`;
  return {
    cubeName,
    name,
    expressionName: name,
    definition: name,
    expression: Object.assign(expression, { toString: () => `(CUBE) => ${position}` }),
  };
}

/**
 * Renders a member. Time dimensions are converted to the query's time zone. As in all other queries, members inside
 * measures and segments are not converted.
 */
function memberSql(query: ExpressionQuery, members: Members, path: string): string {
  const convertTzForRawTimeDimension = query.cubeEvaluator.isDimension(path);
  return query.evaluateSymbolSqlWithContext(() => `(${members[path.slice(path.indexOf('.') + 1)]})`, {
    convertTzForRawTimeDimension,
  });
}
