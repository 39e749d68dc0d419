/** A piece of a member's SQL: text, or the parts of a `{name}` in it. */
export type SqlPiece = string | readonly string[];

const reference = /^\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,2}\s*$/;

/**
 * Takes SQL of a model apart at its references (`{CUBE}`, `{member}`, `{cube.member}`, `{cube.time.month}`). Undefined where a brace stands
 * for anything else.
 */
export function parseTemplate(sql: string): readonly SqlPiece[] | undefined {
  const pieces: SqlPiece[] = [];
  for (const [index, part] of sql.split(/\{([^{}]*)\}/).entries()) {
    if (index % 2 === 0) {
      if (/[{}]/.test(part)) return undefined;
      if (part !== '') pieces.push(part);
    } else {
      if (!reference.test(part)) return undefined;
      pieces.push(part.trim().split('.'));
    }
  }
  return pieces;
}
