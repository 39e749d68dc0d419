import type { Parameter, SqlDialect } from '../engines/engine.js';
import type { Statement } from '../semantic-model.js';
import { plannedNodes } from './expression/expression-size.js';
import { type Printer, printExpression, printSortKey } from './expression/print-expression.js';
import type { CubePlan } from './sql-model.js';
import type {
  Body,
  CommonTable,
  CubeQuery,
  Expression,
  Join,
  Select,
  SelectStatement,
  SetOperation,
  Source,
} from './tree.js';

/** Maximum number of nodes of a column that an engine may copy to every reference to the column. */
const maxCopied = 8;

/**
 * Whether a subquery requires an optimization fence, which prevents the engine from copying column expressions to the
 * references. Postgres inlines subqueries that neither group nor limit rows; DuckDB copies columns when it pushes
 * conditions down. In a chain of subqueries the copies multiply, and a planner runs out of memory before it checks a
 * time limit.
 */
function mustStandAlone({ body, limit, offset }: SelectStatement): boolean {
  return limit === null && offset === 0 && copiesMuch(body);
}

function copiesMuch(body: Body): boolean {
  if (body.kind === 'set') return copiesMuch(body.left.body) || copiesMuch(body.right.body);
  const computed = body.columns.filter(isComputed);
  if (computed.length === 0) return false;
  return (body.from !== null && hasSubquery(body.from)) || computed.some(column => plannedNodes(column) > maxCopied);
}

function isComputed({ kind }: Expression): boolean {
  return kind !== 'column' && kind !== 'literal';
}

function hasSubquery(source: Source): boolean {
  if (source.kind === 'join') return hasSubquery(source.left) || hasSubquery(source.right);
  return source.kind !== 'cube';
}

/**
 * Returns the tables of WITH that are used only once, by id. They are printed inline, because otherwise an engine might
 * materialize all their rows, and DuckDB 1.5.5 loses the parameters of tables that it inlines itself.
 */
function tablesUsedOnce(statement: SelectStatement): ReadonlyMap<number, CommonTable> {
  const tables = new Map<number, CommonTable>();
  const uses = new Map<number, number>();
  // The tree is plain JSON, in which every table and every reference to a table is an object.
  const visit = (value: unknown, times: number): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isUse(value)) uses.set(value.id, (uses.get(value.id) ?? 0) + times);
    if (isStatement(value)) for (const table of value.with) tables.set(table.id, table);
    // Count a reference inside a cube as two, because the SQL of a cube may repeat any part of its query.
    const inside = isCube(value) ? 2 : times;
    for (const part of Object.values(value)) visit(part, inside);
  };
  visit(statement, 1);
  return new Map([...tables].filter(([id]) => uses.get(id) === 1));
}

function isUse(value: object): value is { readonly id: number } {
  return 'kind' in value && value.kind === 'common-table';
}

function isCube(value: object): boolean {
  return 'kind' in value && value.kind === 'cube';
}

function isStatement(value: object): value is SelectStatement {
  return 'with' in value && 'body' in value;
}

/** Options of `printStatement`. */
export interface PrintOptions {
  readonly dialect: SqlDialect;
  /** Returns the plan of a `CubeQuery` of the statement. */
  planOf(query: CubeQuery): CubePlan;
}

/**
 * Prints a statement for an engine. All names are generated, all values are bound, and rows come only from planned
 * cubes.
 */
export function printStatement(statement: SelectStatement, options: PrintOptions): Statement {
  const printer = new StatementPrinter(options, tablesUsedOnce(statement));
  const sql = printer.statement(statement);
  return { sql, parameters: printer.parameters };
}

const joins: Readonly<Record<Join['type'], string>> = {
  inner: 'JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
  cross: 'CROSS JOIN',
};

class StatementPrinter implements Printer {
  readonly dialect: SqlDialect;
  readonly parameters: Parameter[] = [];
  readonly #options: PrintOptions;
  readonly #usedOnce: ReadonlyMap<number, CommonTable>;

  constructor(options: PrintOptions, usedOnce: ReadonlyMap<number, CommonTable>) {
    this.dialect = options.dialect;
    this.#options = options;
    this.#usedOnce = usedOnce;
  }

  bind = (value: Parameter): string => `$${this.parameters.push(value)}`;

  member(): string {
    throw new Error('A member is used outside of a cube query');
  }

  column(source: number, column: number): string {
    return `"t${source}"."c${column}"`;
  }

  statement({ with: all, body, order, limit, offset }: SelectStatement): string {
    const tables = all.filter(({ id }) => !this.#usedOnce.has(id));
    // Print the parts in this order, because parameters are numbered in the order of printing.
    const parts = [
      ...(tables.length > 0 ? [`WITH ${tables.map(table => this.#table(table)).join(', ')}`] : []),
      body.kind === 'set' ? this.#set(body) : this.#select(body),
      ...(order.length > 0 ? [`ORDER BY ${order.map(key => printSortKey(key, this)).join(', ')}`] : []),
      ...(limit === null ? [] : [`LIMIT ${limit}`]),
      ...(offset === 0 ? [] : [`OFFSET ${offset}`]),
    ];
    return parts.join(' ');
  }

  #table({ id, statement }: CommonTable): string {
    return `"w${id}" AS (${this.#subquery(statement)})`;
  }

  #subquery(statement: SelectStatement): string {
    const sql = this.statement(statement);
    return mustStandAlone(statement) ? `${sql} OFFSET 0` : sql;
  }

  #set({ operator, all, left, right }: SetOperation): string {
    // A set operation must begin with SELECT, so select from a left side that does not.
    const isPlain = left.body.kind === 'select' && left.order.length === 0 && left.limit === null && left.offset === 0;
    const first =
      isPlain && left.with.length === 0 ? this.#select(left.body) : `SELECT * FROM (${this.statement(left)}) AS "s"`;
    return `${first} ${operator.toUpperCase()}${all ? ' ALL' : ''} (${this.statement(right)})`;
  }

  #select({ distinct, columns, from, where, grouped }: Select): string {
    const list = columns.map((column, index) => `${printExpression(column, this)} AS "c${index}"`);
    const keys = columns.flatMap(({ kind }, index) => (kind === 'aggregate' ? [] : index + 1));
    return [
      `SELECT ${distinct ? 'DISTINCT ' : ''}${list.join(', ')}`,
      ...(from === null ? [] : [`FROM ${this.#source(from)}`]),
      ...(where === null ? [] : [`WHERE ${printExpression(where, this)}`]),
      ...(grouped && keys.length > 0 ? [`GROUP BY ${keys.join(', ')}`] : []),
    ].join(' ');
  }

  #source(source: Source): string {
    switch (source.kind) {
      case 'cube':
        return `(${this.#cube(source.query)}) AS "t${source.source}"(${source.query.columns.map((_, index) => `"c${index}"`).join(', ')})`;
      case 'statement':
        return `(${this.#subquery(source.statement)}) AS "t${source.source}"`;
      case 'common-table': {
        const table = this.#usedOnce.get(source.id);
        const rows = table ? `(${this.#subquery(table.statement)})` : `"w${source.id}"`;
        return `${rows} AS "t${source.source}"`;
      }
      case 'join': {
        const [left, right] = [this.#source(source.left), this.#source(source.right)];
        const side = source.right.kind === 'join' ? `(${right})` : right;
        const on = source.on === null ? '' : ` ON ${printExpression(source.on, this)}`;
        return `${left} ${joins[source.type]} ${side}${on}`;
      }
    }
  }

  #cube(query: CubeQuery): string {
    const firstParameter = this.parameters.length + 1;
    const plan = this.#options.planOf(query);
    const { sql, parameters } = plan.statement({ firstParameter, subquery: inside => this.statement(inside) });
    this.parameters.push(...parameters);
    return sql;
  }
}
