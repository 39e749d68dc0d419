import type { Parameter, SqlDialect } from '../engine.js';
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
export function closed(
  { sql, ...member }: ComputedMember<OpenPiece>,
  write: (select: SelectStatement) => string,
): ComputedMember {
  return { ...member, sql: sql.map(piece => (isSelect(piece) ? write(piece.select) : piece)) };
}
