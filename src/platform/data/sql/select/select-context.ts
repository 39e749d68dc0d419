import type { SelectStmt } from 'libpg-query';
import { nearestName } from '../../../../contract/nearest-name.js';
import { someOf } from '../rewrite.js';
import { findByName, quoteName } from '../scope.js';
import type { SqlModel } from '../sql-model.js';
import { SqlProblem } from '../sql-problem.js';
import type { Expression, OutputColumn, SelectStatement } from '../tree.js';
import { CubeRelation, type CubeScope, type NamedColumn, type Relation } from './relation.js';

/** Names of outer selects that an inner select can use. */
export interface OuterNames {
  /** Resolves a name, or returns `undefined` if it is unknown. */
  find(names: readonly string[], at: number | undefined): Expression | undefined;
}

/** The names of one select. Names of FROM take precedence over names of outer selects. */
export class Level implements OuterNames {
  constructor(
    readonly relations: readonly Relation[],
    readonly outer: OuterNames | null,
  ) {}

  /** The cube or view of a select with measures. Such a select has no other item in FROM. */
  get grouped(): CubeRelation | undefined {
    return this.relations.filter(relation => relation instanceof CubeRelation).find(({ grouped }) => grouped);
  }

  find(names: readonly string[], at: number | undefined): Expression | undefined {
    const own = this.own(names, at)?.value(at);
    if (own) return own;
    const around = this.outer?.find(names, at);
    if (around !== undefined && this.grouped)
      throw new SqlProblem(
        `Column ${quoteName(...names)} belongs to the outer query: a query with measures can only use its own columns`,
        at,
      );
    return around;
  }

  /** Resolves a column of this select's FROM. */
  own(names: readonly string[], at: number | undefined): NamedColumn | undefined {
    const [last = '', table, ...rest] = [...names].reverse();
    if (rest.length > 0) return undefined;
    if (table !== undefined) return only(this.relation(table, at)?.find(last) ?? [], names, at);
    const found = this.relations.flatMap(relation => [...relation.find(last)]);
    const exact = found.filter(({ name }) => name === last);
    return only(exact.length > 0 ? exact : found, names, at);
  }

  /** Returns the most similar known name for an unknown name. */
  near(names: readonly string[]): string | undefined {
    const [last = '', table] = [...names].reverse();
    const relations = table === undefined ? this.relations : findByName(this.relations, table, ({ name }) => name);
    const near = nearestName(
      last,
      relations.flatMap(relation => relation.names),
    );
    return near && quoteName(...names.slice(0, -1), near);
  }

  /** Returns the item of FROM with this name. */
  relation(name: string, at: number | undefined): Relation | undefined {
    return only(
      findByName(this.relations, name, relation => relation.name),
      [name],
      at,
    );
  }
}

function only<T>(found: readonly T[], names: readonly string[], at: number | undefined): T | undefined {
  if (found.length > 1)
    throw new SqlProblem(`Name ${quoteName(...names)} is ambiguous: qualify it with the table name`, at);
  return found[0];
}

/** A table of WITH that a select can refer to. */
export interface CommonTableName {
  readonly id: number;
  readonly columns: readonly OutputColumn[];
}

/** Context of a select. */
export interface SelectContext {
  /** Tables of WITH that the select can use, by name. */
  readonly tables: ReadonlyMap<string, CommonTableName>;
  readonly outer: OuterNames | null;
}

/** Names of values as written in the text, with their locations. Used in messages of later checks. */
export type NamePlaces = WeakMap<Expression, { readonly names: readonly string[]; readonly at: number | undefined }>;

/** Context shared by all selects of a statement. */
export interface StatementContext {
  readonly model: SqlModel;
  readonly cubes: CubeScope;
  /** Local time in the query's time zone. */
  readonly now: string;
  readonly places: NamePlaces;
  /** Returns an unused number for a source or a table of WITH. */
  next(): number;
  statement(select: SelectStmt, around: SelectContext): SelectStatement;
}

/** Returns the first location in a part of the parse tree, in bytes, or `undefined` if no node has a location. */
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

/** Returns the location of the first name in a value, in bytes, or `undefined` if it contains no name. */
export function placeIn(places: NamePlaces, value: Expression): number | undefined {
  let at: number | undefined;
  someOf(value, part => {
    at = places.get(part)?.at;
    return at !== undefined;
  });
  return at;
}
