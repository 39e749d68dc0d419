import { type BaseDimension, BaseQuery, type BaseSegment } from '@cubejs-backend/schema-compiler';
import type { Parameter, SqlDialect } from '../engines/engine.js';
import { printExpression } from '../sql/expression/print-expression.js';
import type { Expression, SelectStatement } from '../sql/tree.js';

/** A value of a row that is worked out of members. It is plain data: the library's cache is keyed by its JSON. */
export interface ComputedMember<P = Piece> {
  /** The cube or view whose members it is made of. */
  readonly cubeName: string;
  /** Among the computed members of the query, from 0. */
  readonly place: number;
  readonly sql: readonly P[];
}

/** A piece of SQL: text of ours, or what is written as the place demands where it stands. */
export type Piece = string | { readonly member: string } | { readonly constant: Parameter };

/** A piece of SQL, or a select that is a value: how that one is written is up to the statement around. */
export type OpenPiece = Piece | { readonly select: SelectStatement };

/** Stands around a piece that is no text; nothing that we print holds it. */
const mark = '\0';

/**
 * The SQL of a value of a row.
 * @param isText - whether a member is text: its column may be of another type.
 */
export function piecesOf(
  value: Expression,
  { dialect, isText }: { readonly dialect: SqlDialect; isText(path: string): boolean },
): readonly OpenPiece[] {
  const others: Exclude<OpenPiece, string>[] = [];
  const put = (piece: Exclude<OpenPiece, string>) => `${mark}${others.push(piece) - 1}${mark}`;
  const text = printExpression(value, {
    dialect,
    bind: constant => put({ constant }),
    member: member => (isText(member) ? asText(put({ member })) : put({ member })),
    column: () => {
      throw new Error('a value of a row of a cube is made of members alone');
    },
    statement: select => put({ select }),
  });
  return text.split(mark).flatMap((piece, index) => (index % 2 === 0 ? piece : (others[Number(piece)] ?? [])));
}

/** The SQL of a value as text, whatever it is. */
export function asText(sql: string): string {
  return `CAST(${sql} AS VARCHAR)`;
}

/** Paths of the members that SQL is made of. */
export function pathsOf(sql: readonly OpenPiece[]): readonly string[] {
  return sql.flatMap(piece => (typeof piece === 'object' && 'member' in piece ? piece.member : []));
}

/** Whether a piece is a select that is a value. */
export function isSelect(piece: OpenPiece): piece is { readonly select: SelectStatement } {
  return typeof piece === 'object' && 'select' in piece;
}

/** The same with the selects written. */
export function fillSelects(
  { sql, ...member }: ComputedMember<OpenPiece>,
  write: (select: SelectStatement) => string,
): ComputedMember {
  return { ...member, sql: sql.map(piece => (isSelect(piece) ? write(piece.select) : piece)) };
}

/** A cube or view as the library hands it to SQL: each member writes itself. */
type Members = Readonly<Record<string, { toString(): string }>>;

/** What the library collects from. */
type Collected = { getMembers(): readonly object[] };

/** Whether a member of a query is one that the model doesn't have. */
export function isComputed(member: object): boolean {
  return 'isMemberExpression' in member && member.isMemberExpression === true;
}

/** Queries with members that the model doesn't have: values worked out of members, to group and to filter by. */
export class ExpressionQuery extends BaseQuery {
  override newDimension(member: string | ComputedMember): BaseDimension {
    return super.newDimension(typeof member === 'string' ? member : memberExpression(this, member));
  }

  override newSegment(member: string | ComputedMember): BaseSegment {
    return super.newSegment(typeof member === 'string' ? member : memberExpression(this, member));
  }

  /**
   * What the library once collected of a member it keeps for all queries of the model, by the text of the member's function. Ours say
   * nothing in theirs, so what is collected of them is kept for the query alone.
   */
  override collectFrom<T>(
    members: unknown[],
    collect: (traverse: () => void) => T,
    method: string | string[],
    cache?: unknown,
  ): T {
    const parts = (members as Collected[]).flatMap(member => member.getMembers());
    if (!parts.some(isComputed)) return super.collectFrom(members, collect, method, cache);
    const found = parts.flatMap(part => {
      const kept = isComputed(part) ? this.queryCache : cache;
      return super.collectFrom<T>([{ getMembers: () => [part] }], collect, method, kept);
    });
    return [...new Map(found.map(one => [JSON.stringify(one), one])).values()] as T;
  }
}

/**
 * A computed member as the library takes it: a function of the cube's members, of which it asks for its text to learn its parameters. By
 * `definition` it tells such members apart. No member of a model has a blank in its name.
 */
function memberExpression(query: ExpressionQuery, { cubeName, place, sql }: ComputedMember) {
  let constants: readonly string[] | undefined;
  const expression = (members: Members) => {
    // The library calls this many times, for one text.
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
  const name = `computed ${place}`;
  return {
    cubeName,
    name,
    expressionName: name,
    definition: name,
    expression: Object.assign(expression, { toString: () => `(CUBE) => ${place}` }),
  };
}

/** Times are those of the query's zone. What measures and segments are made of stays as it is, as it does everywhere else. */
function memberSql(query: ExpressionQuery, members: Members, path: string): string {
  const convertTzForRawTimeDimension = query.cubeEvaluator.isDimension(path);
  return query.evaluateSymbolSqlWithContext(() => `(${members[path.slice(path.indexOf('.') + 1)]})`, {
    convertTzForRawTimeDimension,
  });
}
