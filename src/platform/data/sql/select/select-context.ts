import type { SelectStmt } from 'libpg-query';
import { nearestName } from '../../../runtime/nearest-name.js';
import { someOf } from '../rewrite.js';
import { findByName, quoteName } from '../scope.js';
import type { SqlModel } from '../sql-model.js';
import { SqlProblem } from '../sql-problem.js';
import type { Expression, OutputColumn, SelectStatement } from '../tree.js';
import { CubeRelation, type CubeScope, type NamedColumn, type Relation } from './relation.js';

/** Names that a select inside may use of those around it. */
export interface OuterNames {
  /** Undefined where nothing has the name. */
  find(names: readonly string[], at: number | undefined): Expression | undefined;
}

/** The names of one select: of what stands in its FROM, then of the selects around it. */
export class Level implements OuterNames {
  constructor(
    readonly relations: readonly Relation[],
    readonly outer: OuterNames | null,
  ) {}

  /** The cube or view of a select with measures, over which there is no other. */
  get grouped(): CubeRelation | undefined {
    return this.relations.filter(relation => relation instanceof CubeRelation).find(({ grouped }) => grouped);
  }

  find(names: readonly string[], at: number | undefined): Expression | undefined {
    const own = this.own(names, at)?.value(at);
    if (own) return own;
    const around = this.outer?.find(names, at);
    if (around !== undefined && this.grouped)
      throw new SqlProblem(
        `${quoteName(...names)} is a name of the select around: a select with measures can only use its own`,
        at,
      );
    return around;
  }

  /** A column of what stands in FROM here. */
  own(names: readonly string[], at: number | undefined): NamedColumn | undefined {
    const [last = '', table, ...rest] = [...names].reverse();
    if (rest.length > 0) return undefined;
    if (table !== undefined) return only(this.relation(table, at)?.find(last) ?? [], names, at);
    const found = this.relations.flatMap(relation => [...relation.find(last)]);
    const exact = found.filter(({ name }) => name === last);
    return only(exact.length > 0 ? exact : found, names, at);
  }

  /** What else a name that is not found may have been meant to be. */
  near(names: readonly string[]): string | undefined {
    const [last = '', table] = [...names].reverse();
    const relations = table === undefined ? this.relations : findByName(this.relations, table, ({ name }) => name);
    const near = nearestName(
      last,
      relations.flatMap(relation => relation.names),
    );
    return near && quoteName(...names.slice(0, -1), near);
  }

  /** What stands in FROM by that name. */
  relation(name: string, at: number | undefined): Relation | undefined {
    return only(
      findByName(this.relations, name, relation => relation.name),
      [name],
      at,
    );
  }
}

function only<T>(found: readonly T[], names: readonly string[], at: number | undefined): T | undefined {
  if (found.length > 1) throw new SqlProblem(`${quoteName(...names)} is ambiguous: write the table before it`, at);
  return found[0];
}

/** A table of WITH, as it may be named. */
export interface CommonTableName {
  readonly id: number;
  readonly columns: readonly OutputColumn[];
}

/** What stands around a select. */
export interface SelectContext {
  /** Tables of WITH that it may name. */
  readonly tables: ReadonlyMap<string, CommonTableName>;
  readonly outer: OuterNames | null;
}

/** How and where in the text values are named, for whoever finds later that they may not stand there. */
export type NamePlaces = WeakMap<Expression, { readonly name: string; readonly at: number | undefined }>;

/** What all selects of one statement are read with. */
export interface StatementContext {
  readonly model: SqlModel;
  /** What cubes and views in FROM are read with. */
  readonly cubes: CubeScope;
  /** What the clock on the wall shows. */
  readonly now: string;
  readonly places: NamePlaces;
  /** A number that no other source or table of WITH has. */
  next(): number;
  statement(select: SelectStmt, around: SelectContext): SelectStatement;
}

/** Where a part of Postgres' tree begins in the text, as far as the tree tells: the first place that stands in it. */
export function placeOf(part: object): number | undefined {
  let first: number | undefined;
  const rest: object[] = [part];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const [key, value] of Object.entries(next)) {
      if (key === 'location' && typeof value === 'number' && value >= 0) first = Math.min(first ?? value, value);
      else if (typeof value === 'object' && value !== null) rest.push(value);
    }
  }
  return first;
}

/** Where something that is named in a value stands in the text. */
export function placeIn(places: NamePlaces, value: Expression): number | undefined {
  let at: number | undefined;
  someOf(value, part => {
    at = places.get(part)?.at;
    return at !== undefined;
  });
  return at;
}
