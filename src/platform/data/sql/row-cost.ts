import { likeCost } from './expression/like-pattern.js';
import { growth } from './expression/print-call.js';
import { isComplex, matchCost } from './expression/regex-pattern.js';
import { SqlProblem } from './sql-problem.js';
import { SqlType } from './sql-type.js';
import type { Body, Call, Expression, SelectStatement, Source } from './tree.js';

/** Assumed size of a text value in bytes. */
const rowTextBytes = 32;
/** Assumed size of a number or time as text, in bytes. */
const numberBytes = 16;
/** Assumed fraction of a string that `replace` replaces. */
const replacedPart = 1 / 8;
/**
 * Maximum number of bytes of text that all functions of a statement may produce per row. DuckDB holds them for 2,048
 * rows at a time.
 */
const maxBytes = 50_000;
/** Maximum number of patterns of a statement whose automaton may grow exponentially. */
const maxComplexPatterns = 10;

/**
 * Rejects statements that compute too much for a single row. An engine checks its time and memory limits only after it
 * has evaluated the expressions of some thousand rows. @throws SqlProblem that states what to change.
 */
export function checkRowCost(statement: SelectStatement): void {
  new RowCost().statement(statement);
}

class RowCost {
  #bytes = 0;
  #patterns = 0;
  /** Estimated bytes per column, by the number of the source or of the table of WITH. */
  readonly #columns = new Map<number, readonly number[]>();
  readonly #tables = new Map<number, readonly number[]>();

  /** Returns the estimated bytes of the columns of a statement. */
  statement({ with: tables, body, order }: SelectStatement): readonly number[] {
    for (const { id, statement } of tables) this.#tables.set(id, this.statement(statement));
    const columns = this.#body(body);
    for (const { value } of order) this.#sizeOf(value);
    return columns;
  }

  #body(body: Body): readonly number[] {
    if (body.kind === 'set') {
      const [left, right] = [this.statement(body.left), this.statement(body.right)];
      return left.map((size, index) => Math.max(size, right[index] ?? 0));
    }
    if (body.from) this.#source(body.from);
    const columns = body.columns.map(column => this.#sizeOf(column));
    if (body.where) this.#sizeOf(body.where);
    return columns;
  }

  #source(source: Source): void {
    switch (source.kind) {
      case 'cube':
        for (const condition of source.query.conditions) this.#sizeOf(condition);
        this.#columns.set(
          source.source,
          source.query.columns.map(column => (column.kind === 'computed' ? this.#sizeOf(column.value) : rowTextBytes)),
        );
        break;
      case 'statement':
        this.#columns.set(source.source, this.statement(source.statement));
        break;
      case 'common-table':
        this.#columns.set(source.source, this.#tables.get(source.id) ?? []);
        break;
      case 'join':
        this.#source(source.left);
        this.#source(source.right);
        if (source.on) this.#sizeOf(source.on);
    }
  }

  /** Returns the estimated bytes of a value. */
  #sizeOf(value: Expression): number {
    switch (value.kind) {
      case 'literal':
        return Buffer.byteLength(String(value.value ?? ''));
      case 'column':
        return this.#columns.get(value.source)?.[value.column] ?? rowTextBytes;
      case 'member':
      case 'measure':
        return rowTextBytes;
      case 'call':
        return this.#call(value);
      case 'cast':
        return this.#sizeOfResult(value, this.#sizeOf(value.value));
      case 'case': {
        const branches = value.branches.flatMap(({ when, value: then }) => {
          this.#sizeOf(when);
          return this.#sizeOf(then);
        });
        return this.#sizeOfResult(value, Math.max(...branches, value.otherwise ? this.#sizeOf(value.otherwise) : 0));
      }
      case 'aggregate':
      case 'window':
        return this.#aggregate(value);
      case 'subquery': {
        if (value.operand) this.#sizeOf(value.operand);
        const [size = 0] = this.statement(value.select);
        return size;
      }
    }
  }

  #call(call: Call): number {
    const sizes = call.args.map(arg => this.#sizeOf(arg));
    if (isComplexPattern(call) && ++this.#patterns > maxComplexPatterns)
      throw new SqlProblem(
        `The statement exceeds the limit of ${maxComplexPatterns} complex patterns: use fewer wildcards or repetitions`,
      );
    return this.#sizeOfResult(call, madeSize(call, sizes));
  }

  #aggregate(value: Extract<Expression, { kind: 'aggregate' | 'window' }>): number {
    if (value.filter) this.#sizeOf(value.filter);
    for (const key of value.order) this.#sizeOf(key.value);
    if (value.kind === 'window') for (const one of value.partition) this.#sizeOf(one);
    return Math.max(...value.args.map(arg => this.#sizeOf(arg)), 0);
  }

  /** Adds the size of a value that is computed for each row. */
  #sizeOfResult({ type }: Expression, size: number): number {
    const bytes = type === SqlType.text ? Math.max(size, numberBytes) : 0;
    this.#bytes += bytes;
    if (this.#bytes > maxBytes)
      throw new SqlProblem('The statement builds too much text per row: use fewer functions, or shorter constants');
    return bytes;
  }
}

/** Returns the estimated bytes of the result of a call, given those of its arguments. */
function madeSize(call: Call, sizes: readonly number[]): number {
  const [first = 0] = sizes;
  switch (call.name) {
    case '||':
    case 'concat':
      return sizes.reduce((sum, size) => sum + size, 0);
    case 'concat_ws':
      return sizes.reduce((sum, size) => sum + first + size, 0);
    case 'replace':
      return first * (1 + (growth(call) - 1) * replacedPart);
    case 'left':
    case 'right':
      return Math.min(first, cutSize(call.args[1]));
    case 'substr':
    case 'substring':
      return Math.min(first, cutSize(call.args[2]));
    default:
      return Math.max(...sizes, 0);
  }
}

/**
 * Returns the maximum size of a number of characters in bytes; infinity if the number is not constant or counts from
 * the end.
 */
function cutSize(characters: Expression | undefined): number {
  const count = characters?.kind === 'literal' ? Number(characters.value) : -1;
  return count < 0 ? Number.POSITIVE_INFINITY : 4 * count;
}

function isComplexPattern(call: Call): boolean {
  if (call.name === 'like' || call.name === 'ilike') return isComplex(likeCost(call));
  return (call.name === '~' || call.name === '~*') && isComplex(matchCost(call));
}
