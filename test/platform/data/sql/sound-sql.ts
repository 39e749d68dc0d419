import type { Dice } from './dice.js';
import { type Column, Expressions, type Type } from './sound-expressions.js';

// Generates statements that are valid in Postgres. Every part knows the types of its columns. If a statement has a
// limit, its rows are ordered by all columns, so that tied rows are equal.

/** A select and its columns, which have unique names. */
interface GeneratedSelect {
  readonly text: string;
  readonly columns: readonly Column[];
}

/** A cube or view as visible to a caller. */
export interface Cube {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly measures: readonly Column[];
}

const list = (values: readonly string[]): string => values.join(', ');
const places = (count: number): string => list(Array.from({ length: count }, (_, index) => String(index + 1)));

/** Adds an order by all columns and a limit. */
function cut(dice: Dice, { text, columns }: GeneratedSelect): GeneratedSelect {
  if (dice.once(2)) return { text, columns };
  const order = columns.map((_, index) => `${index + 1}${dice.of('', ' DESC', ' NULLS FIRST')}`);
  const limit = dice.once(2) ? ` LIMIT ${dice.of('1', '3', '20')}` : '';
  const offset = dice.once(4) ? ` OFFSET ${dice.below(4)}` : '';
  return { text: `${text} ORDER BY ${list(order)}${limit}${offset}`, columns };
}

function where(expressions: Expressions, more?: string): string {
  const conditions = [
    ...(expressions.dice.once(2) ? [] : [expressions.condition(1)]),
    ...(more === undefined ? [] : [more]),
  ];
  return conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
}

/** Writes a select list with a name for each column. */
function named(dice: Dice, shown: readonly Column[], rest: string, distinct = ''): GeneratedSelect {
  const prefix = dice.of('c', 'k', 'Größe ');
  const name = (index: number) => (prefix === 'Größe ' ? `"${prefix}${index}"` : `${prefix}${index}`);
  const written = shown.map(({ sql }, index) => `${sql} AS ${name(index)}`);
  return {
    text: `SELECT ${distinct}${list(written)}${rest}`,
    columns: shown.map(({ type }, index) => ({ type, sql: name(index) })),
  };
}

const qualified = (alias: string, columns: readonly Column[]): Column[] =>
  columns.map(({ sql, type }) => ({ type, sql: `${alias}.${sql}` }));

/** Generates statements over cubes. */
class Statements {
  constructor(
    readonly dice: Dice,
    readonly cubes: readonly Cube[],
  ) {}

  /** Generates a statement of any kind. */
  make(depth: number): string {
    return this.#select(depth).text;
  }

  /** Returns the measures of a cube, grouped by some of its columns. */
  #grouped(): GeneratedSelect {
    const { dice } = this;
    const cube = dice.pick(this.cubes);
    const over = new Expressions(dice, cube.columns);
    const keys = dice.list(dice.below(3), () => {
      if (dice.once(2)) return dice.pick(cube.columns);
      const { type } = dice.pick(cube.columns);
      return { type, sql: over.of(type, 1) };
    });
    const measures = dice.list(1 + dice.below(2), () => {
      const { sql, type } = dice.pick(cube.measures);
      return { type, sql: `MEASURE(${dice.once(4) ? `${cube.name}.${sql}` : sql})` };
    });
    const results = new Expressions(dice, measures);
    const shown = [
      ...keys,
      ...measures,
      ...(dice.once(3) ? [{ type: 'number' as const, sql: results.of('number') }] : []),
    ];
    const having = dice.once(4) ? ` HAVING ${results.condition(1)}` : '';
    const group = keys.length > 0 ? ` GROUP BY ${places(keys.length)}` : '';
    return named(dice, shown, ` FROM ${cube.name}${where(over)}${group}${having}`);
  }

  /** Returns a source of rows: a cube, or a select of any kind. */
  #source(depth: number, alias: string): GeneratedSelect {
    const { dice } = this;
    if (depth === 0 || dice.once(2)) {
      const { name, columns } = dice.pick(this.cubes);
      return { text: `${name} ${alias}`, columns: qualified(alias, columns) };
    }
    const inner = this.#select(depth - 1);
    return { text: `(${inner.text}) ${alias}`, columns: qualified(alias, inner.columns) };
  }

  /** Returns the rows of a source without aggregates. */
  #rows(depth: number): GeneratedSelect {
    const { dice } = this;
    const from = this.#source(depth, dice.of('x', 'y', '"Q"'));
    const over = new Expressions(dice, from.columns);
    const shown = dice.list(1 + dice.below(3), () => {
      const type = dice.of<Type>('number', 'text', 'boolean', 'time');
      return { type, sql: over.of(type, 1) };
    });
    const conditions = where(over, depth === 0 ? undefined : this.#nested(depth, from.columns));
    return named(dice, shown, ` FROM ${from.text}${conditions}`, dice.once(4) ? 'DISTINCT ' : '');
  }

  /** Returns a subquery in a condition, if a column can be compared with it. */
  #nested(depth: number, columns: readonly Column[]): string | undefined {
    const { dice } = this;
    const inner = this.#source(depth - 1, 'z');
    const [own, other] = [columns, inner.columns].map(some => some.filter(({ type }) => type === 'number'));
    if (!own?.length || !other?.length || !dice.once(3)) return undefined;
    const [outer, column] = [dice.pick(own).sql, dice.pick(other).sql];
    return dice.of(
      `${outer} IN (SELECT ${column} FROM ${inner.text})`,
      `EXISTS (SELECT 1 FROM ${inner.text} WHERE ${column} = ${outer})`,
      `${outer} > (SELECT AVG(${column}) FROM ${inner.text})`,
    );
  }

  /** Aggregates over rows. */
  #aggregated(depth: number): GeneratedSelect {
    const { dice } = this;
    const from = this.#source(depth, 'x');
    const over = new Expressions(dice, from.columns);
    const keys = dice.list(dice.below(3), () => dice.pick(from.columns));
    const aggregate = (): Column =>
      dice.of<() => Column>(
        () => ({ type: 'number', sql: `COUNT(*)` }),
        () => ({ type: 'number', sql: `${dice.of('SUM', 'MIN', 'MAX', 'COUNT')}(${over.of('number', 1)})` }),
        () => ({ type: 'number', sql: `COUNT(DISTINCT ${over.of('text', 1)})` }),
        () => ({ type: 'text', sql: `${dice.of('MIN', 'MAX')}(${over.of('text', 1)})` }),
        () => ({ type: 'number', sql: `COUNT(*) FILTER (WHERE ${over.condition(1)})` }),
        () => ({ type: 'time', sql: `MAX(${over.of('time', 1)})` }),
      )();
    const aggregates = dice.list(1 + dice.below(2), aggregate);
    const group = keys.length > 0 ? ` GROUP BY ${list(keys.map(({ sql }) => sql))}` : '';
    const having = dice.once(4) ? ` HAVING ${new Expressions(dice, aggregates).condition(1)}` : '';
    return named(dice, [...keys, ...aggregates], ` FROM ${from.text}${where(over)}${group}${having}`);
  }

  /** Returns a select with window functions that do not depend on the order of ties. */
  #windowed(depth: number): GeneratedSelect {
    const { dice } = this;
    const from = this.#source(depth, 'x');
    const by = dice.pick(from.columns);
    const all = list(from.columns.map(({ sql }) => sql));
    const over = new Expressions(dice, from.columns);
    const windows = [
      `RANK() OVER (ORDER BY ${by.sql})`,
      `DENSE_RANK() OVER (PARTITION BY ${dice.pick(from.columns).sql} ORDER BY ${by.sql} DESC)`,
      `ROW_NUMBER() OVER (ORDER BY ${all})`,
      `SUM(${over.of('number', 0)}) OVER (ORDER BY ${by.sql})`,
      `COUNT(*) OVER (PARTITION BY ${by.sql})`,
      `MAX(${over.of('number', 0)}) OVER ()`,
    ];
    const shown: Column[] = [...from.columns, { type: 'number', sql: dice.pick(windows) }];
    return named(dice, shown, ` FROM ${from.text}`);
  }

  /** Returns two sources joined by numbers or strings. */
  #joined(depth: number): GeneratedSelect {
    const { dice } = this;
    const [left, right] = [this.#source(depth, 'l'), this.#source(depth, 'r')];
    const type = dice.of<Type>('number', 'text');
    const [a, b] = [left, right].map(({ columns }) => columns.filter(one => one.type === type));
    const on = a?.length && b?.length ? `${dice.pick(a).sql} = ${dice.pick(b).sql}` : 'FALSE';
    const columns = [...left.columns, ...right.columns];
    const shown = dice.list(1 + dice.below(3), () => dice.pick(columns));
    const join = dice.of('JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN');
    const select = named(dice, shown, ` FROM ${left.text} ${join} ${right.text} ON ${on}`, 'DISTINCT ');
    return { ...select, text: `${select.text} ORDER BY ${places(shown.length)} LIMIT 30` };
  }

  #united(depth: number): GeneratedSelect {
    const { dice } = this;
    const shape = dice.list(1 + dice.below(2), () => dice.of<Type>('number', 'text'));
    const side = (): string => {
      const from = this.#source(depth, 'u');
      const over = new Expressions(dice, from.columns);
      return `SELECT ${list(shape.map((type, index) => `${over.of(type, 1)}${type === 'text' ? '::text' : '::numeric'} AS c${index}`))} FROM ${from.text}${where(over)}`;
    };
    const operator = dice.of('UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT');
    return {
      text: `${side()} ${operator} ${side()}`,
      columns: shape.map((type, index) => ({ type, sql: `c${index}` })),
    };
  }

  #withCommon(depth: number): GeneratedSelect {
    const { dice } = this;
    const inner = this.#select(depth);
    const name = dice.of('x', 'orders', 'customers', 'vault', 'pg_class', '"t"');
    const over = new Expressions(dice, inner.columns);
    const shown = dice.list(1 + dice.below(2), () => dice.pick(inner.columns));
    const select = named(dice, shown, ` FROM ${name}${where(over)}`);
    return { ...select, text: `WITH ${name} AS (${inner.text}) ${select.text}` };
  }

  #select(depth: number): GeneratedSelect {
    const { dice } = this;
    const select = dice.of(
      () => this.#grouped(),
      () => this.#grouped(),
      () => this.#grouped(),
      () => this.#rows(depth),
      () => this.#aggregated(depth),
      () => this.#windowed(depth),
      () => this.#joined(depth),
      () => this.#united(depth),
      () => this.#withCommon(depth),
    )();
    return / LIMIT \d+$/.test(select.text) ? select : cut(dice, select);
  }
}

/** Generates a statement that a model of these cubes can usually execute. */
export function soundSql(dice: Dice, cubes: readonly Cube[]): string {
  return new Statements(dice, cubes).make(dice.below(3));
}

/** Returns the columns or measures of one type. */
export function columns(type: Type, ...names: readonly string[]): Column[] {
  return names.map(sql => ({ sql, type }));
}
