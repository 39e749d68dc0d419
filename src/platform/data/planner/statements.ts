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

/** A query in which every name was looked up for its caller. */
export interface CheckedQuery {
  readonly access: Access;
  /** Every member that it names, wherever it does. */
  readonly members: ReadonlySet<MemberDefinition>;
  /** The cube or view that it is of, where it need not name a member to read it. */
  readonly entity?: string;
  /** Without row filters. */
  readonly sql: SqlQuery<OpenPiece>;
  /** What relative dates counted from. */
  readonly now: Date;
}

/** A query with the caller's row filters. */
export interface GovernedSql {
  /** Stands for all that the rows depend on beside the version of model and data. */
  readonly key: string;
  /** @throws PlatformError 400 when the members can't be joined. */
  statement(place?: CubePlace): Statement;
  /** How many rows there are without limit and offset. Throws as `statement` does. */
  totalStatement(): Statement;
}

type Rows = ReadonlyMap<string, 'all' | RowFilter>;

/** Of all statements that are kept. */
const statementBytes = 8 * 1024 * 1024;
/** The place of a statement around which there is no other. */
export const topLevelPlace: CubePlace = {
  firstParameter: 1,
  subSelect: () => {
    throw new Error('a query of its own has no select around it');
  },
};

/** The way from a checked query to SQL: what its caller may read goes along with it, in its key and in every statement. */
export class Statements {
  readonly #compiler: SqlCompiler;
  readonly #reach: Reach;
  /** By the key of a query: to make one takes longer than all else that is done for a query outside the engine. */
  readonly #kept = new BoundedCache<Statement>(statementBytes);

  constructor(compiler: SqlCompiler, reach: Reach) {
    this.#compiler = compiler;
    this.#reach = reach;
  }

  /** Puts the row filters on. */
  govern({ access, members, entity, sql: asked, now }: CheckedQuery): GovernedSql {
    const rows = access.rowsFor(members);
    const named = new Set([...members].map(member => member.entity));
    if (entity !== undefined) named.add(entity);
    const views = [...named].flatMap(name => access.entities.get(name) ?? []).filter(({ type }) => type === 'view');
    const sql = { ...asked, filters: [...asked.filters, ...viewFilters(views, rows)] };
    const within = this.#reach.of([...members, ...filteredBy(views, rows)], [...named, ...sql.joinHints.flat()]);
    const readable = [...rows].filter(([name]) => within.has(name));
    // Of a granularity without an origin, SQL counts from the beginning of this year.
    const key = JSON.stringify([sql, readable, now.getUTCFullYear()]);
    return {
      key,
      statement: (place = topLevelPlace) => {
        const query = written(sql, place);
        // How selects in it are written hangs on the statement around, of which the key doesn't know.
        const selects = hasSelects(sql) ? JSON.stringify([query.computed, query.conditions]) : '';
        return this.#statement(`${place.firstParameter} ${selects} ${key}`, () =>
          this.#compiler.compile(query, readable, place.firstParameter),
        );
      },
      totalStatement: () =>
        this.#statement(`total ${key}`, () => this.#compiler.compileTotal(written(sql, topLevelPlace), readable)),
    };
  }

  #statement(key: string, compile: () => SqlResult): Statement {
    const known = this.#kept.find(key);
    if (known) return known.value;
    const statement = statementOf(compile());
    this.#kept.set(key, statement, 2 * statement.sql.length + 100 * statement.parameters.length);
    return statement;
  }
}

function written(sql: SqlQuery<OpenPiece>, { subSelect }: CubePlace): SqlQuery {
  const close = (members: readonly ComputedMember<OpenPiece>[]) =>
    members.map(member => fillSelects(member, subSelect));
  return { ...sql, computed: close(sql.computed), conditions: close(sql.conditions) };
}

function hasSelects({ computed, conditions }: SqlQuery<OpenPiece>): boolean {
  return [...computed, ...conditions].some(({ sql }) => sql.some(isSelect));
}

/** A view has no table of its own for its row filter to stand at: it is a filter of every query that is of the view. */
function viewFilters(views: readonly EntityDefinition[], rows: Rows): SqlFilter[] {
  return views.flatMap(({ name }) => {
    const own = rows.get(name);
    if (own === undefined) throw new Error('a view without a decision was named');
    return own === 'all' ? [] : [sqlFilterOf(own)];
  });
}

/** The members that the row filters of views name, which nobody has to have asked for. */
function filteredBy(views: readonly EntityDefinition[], rows: Rows): MemberDefinition[] {
  return views.flatMap(view => {
    const own = rows.get(view.name) ?? 'all';
    return own === 'all' ? [] : namesOf(own).flatMap(path => view.members.get(path.slice(view.name.length + 1)) ?? []);
  });
}

function namesOf(rows: RowFilter): string[] {
  return rows.kind === 'condition' ? [rows.member] : rows.filters.flatMap(namesOf);
}

function statementOf(result: SqlResult): Statement {
  if (result.kind === 'statement') return result;
  throw new PlatformError(400, 'the members of this query can not be joined', { cause: result.cause });
}
