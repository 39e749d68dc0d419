import type { Node, SelectStmt } from 'libpg-query';
import { Clause, type MeasureCall, quoteName, type Scope } from '../scope.js';
import { SqlProblem, UnknownName } from '../sql-problem.js';
import type { Expression, MeasureValue, SelectStatement } from '../tree.js';
import type { NamedMeasure } from './relation.js';
import type { Level, NamePlaces, OuterNames, SelectContext, StatementContext } from './select-context.js';

/** The names that expressions of one select can use. */
export interface SelectNames {
  readonly level: Level;
  /** Local time in the query's time zone. */
  readonly now: string;
  /** Windows of the WINDOW clause, by name. */
  readonly windows: ReadonlyMap<string, Node>;
  /** Aliases of the select list, which can be used only in ORDER BY and GROUP BY. */
  readonly aliases: readonly string[];
  readonly places: NamePlaces;
  /** Reads an inner select. */
  statement(select: SelectStmt, outer: OuterNames): SelectStatement;
}

/** Collects the names that expressions of a select can use, from its level and context. */
export function namesOf(
  { now, places, statement }: StatementContext,
  around: SelectContext,
  level: Level,
  { windows, aliases }: Pick<SelectNames, 'windows' | 'aliases'> = { windows: new Map(), aliases: [] },
): SelectNames {
  return {
    level,
    now,
    windows,
    aliases,
    places,
    statement: (inside, outer) => statement(inside, { ...around, outer }),
  };
}

/** Aggregates that select a measure of the same aggregate type. */
const aggregates: readonly string[] = ['sum', 'avg', 'min', 'max', 'count'];
const distinctCounts: readonly string[] = ['countDistinct', 'countDistinctApprox'];

/** Resolves names in one clause of a select. */
export class SelectScope implements Scope {
  constructor(
    readonly clause: Clause,
    readonly names: SelectNames,
  ) {}

  get now(): string {
    return this.names.now;
  }

  column(names: readonly string[], at: number | undefined): Expression {
    const found = this.names.level.find(names, at);
    if (found === undefined) throw this.#unknownNameProblem('Column', names, at);
    this.names.places.set(found, { names, at });
    return found;
  }

  measure(aggregate: MeasureCall, names: readonly string[], at: number | undefined): MeasureValue | null {
    const found = this.names.level.own(names, at)?.measure;
    if (found === undefined) {
      if (aggregate.call === 'measure') throw this.#unknownNameProblem('Measure', names, at);
      return null;
    }
    const { relation, definition } = found;
    this.#checkClause(`Measure ${definition.path}`, at);
    if (!isMadeBy(found, aggregate))
      throw new SqlProblem(
        `This aggregate does not match the measure ${definition.path}: write MEASURE(${definition.name})`,
        at,
      );
    if (!relation.grouped)
      throw new SqlProblem(
        `Measure ${definition.path} cannot be aggregated over a join: select from a view, or join two subqueries`,
        at,
      );
    return relation.measure(definition);
  }

  countRows(at: number | undefined): MeasureValue | null {
    const counting = this.names.level.grouped?.counting();
    if (this.names.level.grouped === undefined) return null;
    if (counting === undefined)
      throw new SqlProblem(
        `${this.names.level.grouped.entity.name} has no measure that counts its rows: write MEASURE(…) with another measure`,
        at,
      );
    this.#checkClause('COUNT(*)', at);
    return counting;
  }

  statement(select: SelectStmt, at: number | undefined): SelectStatement {
    const { level } = this.names;
    if (this.clause === Clause.on)
      throw new SqlProblem('Subqueries are not supported in JOIN … ON: move the subquery to WHERE, or join it', at);
    const isInside = this.clause === Clause.where || this.clause === Clause.group;
    return this.names.statement(select, isInside && level.grouped ? new RejectedOuterNames(level) : level);
  }

  window(name: string, at: number | undefined): Node {
    const found = this.names.windows.get(name);
    if (found === undefined) throw new SqlProblem(`Window ${quoteName(name)} does not exist`, at);
    return found;
  }

  #unknownNameProblem(what: string, names: readonly string[], at: number | undefined): SqlProblem {
    const { level, aliases } = this.names;
    const [name = '', ...rest] = names;
    if (rest.length === 0 && aliases.includes(name))
      return new SqlProblem(`${quoteName(name)} is an alias of the select list: repeat its expression`, at);
    const near = level.near(names);
    const message = `${what} ${quoteName(...names)} does not exist in the FROM clause`;
    return near === undefined ? new UnknownName(message, at) : new SqlProblem(`${message}: did you mean ${near}?`, at);
  }

  #checkClause(what: string, at: number | undefined): void {
    const { clause } = this;
    if (clause === Clause.where) throw new SqlProblem(`${what} is not allowed in WHERE: use HAVING`, at);
    if (clause === Clause.group || clause === Clause.on)
      throw new SqlProblem(`${what} is not allowed in ${clause}`, at);
  }
}

function isMadeBy({ definition: { aggType } }: NamedMeasure, { call, distinct }: MeasureCall): boolean {
  if (call === 'measure') return true;
  if (call === 'count' && distinct) return distinctCounts.includes(aggType);
  return !distinct && aggregates.includes(call) && aggType === call;
}

/**
 * Rejects the names of an outer select with measures in subqueries of its WHERE or GROUP BY, because such a subquery is
 * evaluated once, before the select.
 */
class RejectedOuterNames implements OuterNames {
  constructor(readonly level: Level) {}

  find(names: readonly string[], at: number | undefined): undefined {
    if (this.level.find(names, at) === undefined) return undefined;
    throw new SqlProblem(
      `Column ${quoteName(...names)} belongs to the outer query: with measures, a subquery in WHERE or GROUP BY can only use its own columns`,
      at,
    );
  }
}
