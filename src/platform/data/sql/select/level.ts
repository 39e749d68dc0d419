import { nearName } from '../near-name.js';
import { SqlProblem } from '../sql-problem.js';
import type { Expression } from '../tree.js';
import { named, shown } from './names.js';
import { CubeRelation, type NamedColumn, type Relation } from './relation.js';

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
        `${shown(...names)} is a name of the select around: a select with measures can only use its own`,
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
    const relations = table === undefined ? this.relations : named(this.relations, table, ({ name }) => name);
    const near = nearName(
      last,
      relations.flatMap(relation => relation.names),
    );
    return near && shown(...names.slice(0, -1), near);
  }

  /** What stands in FROM by that name. */
  relation(name: string, at: number | undefined): Relation | undefined {
    return only(
      named(this.relations, name, relation => relation.name),
      [name],
      at,
    );
  }
}

function only<T>(found: readonly T[], names: readonly string[], at: number | undefined): T | undefined {
  if (found.length > 1) throw new SqlProblem(`${shown(...names)} is ambiguous: write the table before it`, at);
  return found[0];
}
