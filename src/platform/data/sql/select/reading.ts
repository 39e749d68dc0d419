import type { SelectStmt } from 'libpg-query';
import type { SqlModel } from '../sql-model.js';
import type { Expression, OutputColumn, SelectStatement } from '../tree.js';
import type { OuterNames } from './level.js';
import type { CubeScope } from './relation.js';

/** A table of WITH, as it may be named. */
export interface CommonTableName {
  readonly id: number;
  readonly columns: readonly OutputColumn[];
}

/** What stands around a select. */
export interface Around {
  /** Tables of WITH that it may name. */
  readonly tables: ReadonlyMap<string, CommonTableName>;
  readonly outer: OuterNames | null;
}

/** How and where in the text values are named, for whoever finds later that they may not stand there. */
export type Places = WeakMap<Expression, { readonly name: string; readonly at: number | undefined }>;

/** What all selects of one statement are read with. */
export interface Reading {
  readonly model: SqlModel;
  /** What cubes and views in FROM are read with. */
  readonly cubes: CubeScope;
  /** What the clock on the wall shows. */
  readonly now: string;
  readonly places: Places;
  /** A number that no other source or table of WITH has. */
  next(): number;
  statement(select: SelectStmt, around: Around): SelectStatement;
}
