import { PlatformError } from '../../errors.js';
import { BoundedCache } from '../../runtime/bounded-cache.js';
import { type ComputedMember, fillSelects, isSelect, type OpenPiece } from '../compiler/computed-members.js';
import type { SqlCompiler, SqlQuery, SqlResult } from '../compiler/sql-compiler.js';
import { type SqlFilter, sqlFilterOf } from '../compiler/sql-filter.js';
import type { Access } from '../model/access-control.js';
import type { EntityDefinition, MemberDefinition } from '../model/definition.js';
import type { RowFilter } from '../model/policy.js';
import type { Statement } from '../semantic-model.js';
import type { CubePlace } from '../sql/sql-model.js';
import type { Reach } from './reach.js';

/** A query whose names were all resolved for its caller. */
export interface CheckedQuery {
  readonly access: Access;
  /** All members used in any part of the query. */
  readonly members: ReadonlySet<MemberDefinition>;
  /** The cube or view that the query reads, even if the query names none of its members. */
  readonly entity?: string;
  /** The query without row filters. */
  readonly sql: SqlQuery<OpenPiece>;
  /** The reference time of relative dates. */
  readonly now: Date;
}

/** The SQL of a query, including the caller's row filters. */
export interface GovernedSql {
  /** Identifies everything that the rows depend on, except the versions of the model and the data. */
  readonly key: string;
  /** @throws PlatformError 400 if the members cannot be joined. */
  statement(place?: CubePlace): Statement;
  /**
   * Counts the rows without limit and offset.
   * @throws PlatformError 400 if the members cannot be joined.
   */
  totalStatement(): Statement;
}

type Rows = ReadonlyMap<string, 'all' | RowFilter>;

/** Maximum estimated size of the statement cache in bytes. */
const statementBytes = 8 * 1024 * 1024;
/** Place of a statement that is not part of a larger statement. */
export const topLevelPlace: CubePlace = {
  firstParameter: 1,
  subquery: () => {
    throw new Error('A top-level query has no outer statement');
  },
};

/** Compiles checked queries to SQL. The row filters of the caller are part of every cache key and every statement. */
export class Statements {
  readonly #compiler: SqlCompiler;
  readonly #reach: Reach;
  /** Statements by the key of their query. Compiling is the slowest step of a query outside the engine. */
  readonly #cache = new BoundedCache<Statement>(statementBytes);

  constructor(compiler: SqlCompiler, reach: Reach) {
    this.#compiler = compiler;
    this.#reach = reach;
  }

  /** Adds the row filters of the caller. */
  govern({ access, members, entity, sql: requested, now }: CheckedQuery): GovernedSql {
    const rows = access.rowsFor(members);
    const entities = new Set([...members].map(member => member.entity));
    if (entity !== undefined) entities.add(entity);
    const views = [...entities].flatMap(name => access.entities.get(name) ?? []).filter(({ type }) => type === 'view');
    const sql = { ...requested, filters: [...requested.filters, ...viewFilters(views, rows)] };
    // Omit the join hints of `planCube` from the message, because they can contain a cube that is hidden from the
    // caller.
    const joined = [...entities, ...(entity === undefined ? requested.joinHints.flat() : [])];
    const names = [...new Set(joined)].filter(name => access.entities.has(name));
    const within = this.#reach.of([...members, ...filteredBy(views, rows)], [...entities, ...sql.joinHints.flat()]);
    const readable = [...rows].filter(([name]) => within.has(name));
    // The key contains the year, because a granularity without an origin counts from the beginning of the current year.
    const key = JSON.stringify([sql, readable, now.getUTCFullYear()]);
    return {
      key,
      statement: (place = topLevelPlace) => {
        const query = withSelects(sql, place);
        // Add the SQL of inner selects to the key, because it depends on the outer statement.
        const selects = hasSelects(sql) ? JSON.stringify([query.computed, query.conditions]) : '';
        return this.#statement(`${place.firstParameter} ${selects} ${key}`, names, () =>
          this.#compiler.compile(query, readable, place.firstParameter),
        );
      },
      totalStatement: () =>
        this.#statement(`total ${key}`, names, () =>
          this.#compiler.compileTotal(withSelects(sql, topLevelPlace), readable),
        ),
    };
  }

  #statement(key: string, names: readonly string[], compile: () => SqlResult): Statement {
    const cached = this.#cache.find(key);
    if (cached) return cached.value;
    const statement = statementOf(compile(), names);
    this.#cache.set(key, statement, 2 * statement.sql.length + 100 * statement.parameters.length);
    return statement;
  }
}

function withSelects(sql: SqlQuery<OpenPiece>, { subquery }: CubePlace): SqlQuery {
  const close = (members: readonly ComputedMember<OpenPiece>[]) => members.map(member => fillSelects(member, subquery));
  return { ...sql, computed: close(sql.computed), conditions: close(sql.conditions) };
}

function hasSelects({ computed, conditions }: SqlQuery<OpenPiece>): boolean {
  return [...computed, ...conditions].some(({ sql }) => sql.some(isSelect));
}

/**
 * Returns the row filters of views. They are added to every query of a view, because a view has no table in which to
 * apply them.
 */
function viewFilters(views: readonly EntityDefinition[], rows: Rows): SqlFilter[] {
  return views.flatMap(({ name }) => {
    const own = rows.get(name);
    if (own === undefined) throw new Error('no access decision for a view of the query');
    return own === 'all' ? [] : [sqlFilterOf(own)];
  });
}

/** Returns the members that the row filters of views use. The query itself may not name them. */
function filteredBy(views: readonly EntityDefinition[], rows: Rows): MemberDefinition[] {
  return views.flatMap(view => {
    const own = rows.get(view.name) ?? 'all';
    return own === 'all' ? [] : namesOf(own).flatMap(path => view.members.get(path.slice(view.name.length + 1)) ?? []);
  });
}

function namesOf(rows: RowFilter): string[] {
  return rows.kind === 'condition' ? [rows.member] : rows.filters.flatMap(namesOf);
}

/** @param names - cubes and views that the caller named. Other cubes must not occur in messages. */
function statementOf(result: SqlResult, names: readonly string[]): Statement {
  if (result.kind === 'statement') return result;
  const all = new Intl.ListFormat('en-GB').format(names);
  if (result.kind === 'no-primary-key')
    throw new PlatformError(
      400,
      `Joining ${names.length > 1 ? all : `the members of ${all}`} would count rows more than once: set primary_key: true on a dimension of each joined cube`,
    );
  const message = names.length > 1 ? `No join path between ${all}` : `No join path between the members of ${all}`;
  throw new PlatformError(400, message, { cause: result.cause });
}
