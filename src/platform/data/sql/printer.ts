import type { SqlDialect } from '../engine.js';
import type { Bind } from '../model/predicate.js';
import type { SelectStatement } from './tree.js';

/** How the parts of a tree are written in one place of one statement for one engine. */
export interface Printer {
  readonly dialect: SqlDialect;
  /** Gives a constant a placeholder. Whoever prints it casts it: a placeholder has no type. */
  readonly bind: Bind;
  /** SQL of a member's value of a row; throws where none may stand. */
  member(path: string): string;
  /** SQL of a column of what stands in FROM. */
  column(source: number, column: number): string;
  /** SQL of a statement, without parentheses. */
  statement(statement: SelectStatement): string;
}
