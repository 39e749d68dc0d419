import type { Parameter, SqlDialect } from '../engine.js';
import type { Statement } from '../semantic-model.js';
import { printExpression, printSortKey } from './expression/print-expression.js';
import { mustStandAlone } from './inlining.js';
import type { Printer } from './printer.js';
import type { CubePlan } from './sql-model.js';
import { tablesUsedOnce } from './tables-used-once.js';
import type { CommonTable, CubeQuery, Join, Select, SelectStatement, SetOperation, Source } from './tree.js';

/** What a statement is printed with. */
export interface PrintOptions {
  readonly dialect: SqlDialect;
  /** The plan of a `CubeQuery` of the statement. */
  planOf(query: CubeQuery): CubePlan;
}

/** Writes a statement for an engine. Names in it are made of numbers, values are bound; rows come from planned cubes alone. */
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
    throw new Error('a member stands in a statement, where nothing but a cube query has members');
  }

  column(source: number, column: number): string {
    return `"t${source}"."c${column}"`;
  }

  statement({ with: all, body, order, limit, offset }: SelectStatement): string {
    const tables = all.filter(({ id }) => !this.#usedOnce.has(id));
    // What is written first has the smaller parameters.
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
    return `"w${id}" AS (${this.#subSelect(statement)})`;
  }

  #subSelect(statement: SelectStatement): string {
    const sql = this.statement(statement);
    return mustStandAlone(statement) ? `${sql} OFFSET 0` : sql;
  }

  #set({ operator, all, left, right }: SetOperation): string {
    // Engines want a statement to begin with SELECT.
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
        return `(${this.#subSelect(source.statement)}) AS "t${source.source}"`;
      case 'common-table': {
        const table = this.#usedOnce.get(source.id);
        const rows = table ? `(${this.#subSelect(table.statement)})` : `"w${source.id}"`;
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
    const { sql, parameters } = plan.statement({ firstParameter, subSelect: inside => this.statement(inside) });
    this.parameters.push(...parameters);
    return sql;
  }
}
