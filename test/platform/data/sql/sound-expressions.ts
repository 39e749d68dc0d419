import type { Dice } from './dice.js';

/** Type of a generated expression. */
export type Type = 'number' | 'text' | 'boolean' | 'time';

/** A column that expressions can use. */
export interface Column {
  readonly sql: string;
  readonly type: Type;
}

const literals: Readonly<Record<Type, readonly string[]>> = {
  number: ['0', '1', '50', '-3', '7.5', '100', '1e2'],
  text: [
    `'tenant_a'`,
    `'tenant_b'`,
    `'tenant_a Rom'`,
    `'tenant_b O''Hara'`,
    `'%Rom'`,
    `'tenant_b%'`,
    `''`,
    `'x''; --'`,
    `E'a\\nb'`,
    `$$a'b$$`,
    `U&'K\\00f6ln'`,
  ],
  boolean: ['TRUE', 'FALSE', 'NULL::boolean'],
  time: [`TIMESTAMP '2024-02-10'`, `'2024-03-01 12:00:00'::timestamp`, `DATE '2024-06-30'::timestamp`],
};

const units = ['day', 'week', 'month', 'quarter', 'year', 'hour'];

/** Generates expressions over columns. */
export class Expressions {
  constructor(
    readonly dice: Dice,
    readonly columns: readonly Column[],
  ) {}

  /** Generates a value of a type. */
  of(type: Type, depth = 2): string {
    const own = this.columns.filter(column => column.type === type);
    if (own.length > 0 && (depth === 0 || this.dice.once(2))) return this.dice.pick(own).sql;
    if (depth === 0 || this.dice.once(4)) return this.dice.pick(literals[type]);
    switch (type) {
      case 'number':
        return this.#number(depth - 1);
      case 'text':
        return this.#text(depth - 1);
      case 'boolean':
        return this.condition(depth - 1);
      case 'time':
        return this.#time(depth - 1);
    }
  }

  #number(depth: number): string {
    const value = () => this.of('number', depth);
    return this.dice.of(
      () => `(${value()} ${this.dice.of('+', '-')} ${value()})`,
      () => `(${value()} * ${this.dice.of('2', '0.5', '-1')})`,
      () => `(${value()} / ${this.dice.of('3', '2.0', `NULLIF(${value()}, 0)`)})`,
      () => `ABS(${value()})`,
      () => `ROUND((${value()})::numeric, 1)`,
      () => `COALESCE(${value()}, 0)`,
      () => `LENGTH(${this.of('text', depth)})`,
      () => `CASE WHEN ${this.condition(depth)} THEN ${value()} ELSE ${value()} END`,
      () => `EXTRACT(${this.dice.of('YEAR', 'MONTH', 'DOW')} FROM ${this.of('time', depth)})`,
      () => `GREATEST(${value()}, ${value()})`,
    )();
  }

  #text(depth: number): string {
    const value = () => this.of('text', depth);
    return this.dice.of(
      () => `UPPER(${value()})`,
      () => `(${value()} || ${value()})`,
      () => `SUBSTRING(${value()} FROM 3 FOR 8)`,
      () => `COALESCE(${value()}, 'none')`,
      () => `REPLACE(${value()}, 'tenant', 'T')`,
      () => `CASE WHEN ${this.condition(depth)} THEN ${value()} END`,
      () => `TRIM(${value()})`,
      () => `NULLIF(${value()}, ${value()})`,
      () => `(${this.of('boolean', 0)})::text`,
    )();
  }

  #time(depth: number): string {
    const value = () => this.of('time', depth);
    return this.dice.of(
      () => `DATE_TRUNC('${this.dice.pick(units)}', ${value()})`,
      () => `(${value()} ${this.dice.of('+', '-')} INTERVAL '${this.dice.of('1 month', '3 days', '2 hours')}')`,
      () => `(${value()})::date::timestamp`,
    )();
  }

  /** Generates a condition. */
  condition(depth: number): string {
    const { dice } = this;
    const type = dice.of<Type>('number', 'text', 'text', 'time');
    const value = () => this.of(type, Math.min(depth, 1));
    const plain = [
      () => `${value()} ${dice.of('=', '<>', '<', '<=', '>', '>=')} ${value()}`,
      () => `${this.of(dice.of<Type>('number', 'text', 'boolean', 'time'), 1)} IS ${dice.of('', 'NOT ')}NULL`,
      () => `${value()} ${dice.of('', 'NOT ')}IN (${value()}, ${value()})`,
      () => `${value()} ${dice.of('', 'NOT ')}BETWEEN ${value()} AND ${value()}`,
      () => `${this.of('text', 1)} ${dice.of('', 'NOT ')}${dice.of('LIKE', 'ILIKE')} ${dice.pick(literals.text)}`,
      () => `${value()} IS ${dice.of('', 'NOT ')}DISTINCT FROM ${value()}`,
      () => `(${this.of('boolean', 0)}) IS ${dice.of('', 'NOT ')}${dice.of('TRUE', 'FALSE')}`,
    ];
    if (depth <= 0 || dice.once(2)) return dice.pick(plain)();
    return dice.of(
      () => `(${this.condition(depth - 1)} AND ${this.condition(depth - 1)})`,
      () => `(${this.condition(depth - 1)} OR ${this.condition(depth - 1)})`,
      () => `NOT (${this.condition(depth - 1)})`,
    )();
  }
}
