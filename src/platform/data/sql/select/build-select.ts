import { coerce } from '../expression/literals.js';
import type { SqlType } from '../sql-type.js';
import type { ColumnValue, Expression, OutputColumn, Select, SelectStatement, Source } from '../tree.js';

/** Wraps a select into a statement without order, limit and offset. */
export function statementOf(body: Select): SelectStatement {
  const columns = body.columns.map(({ type }, index) => ({ name: `c${index}`, type }));
  return { with: [], body, order: [], limit: null, offset: 0, columns };
}

/** Builds a statement that selects columns from one source. */
export function selectOver(
  from: Source,
  columns: readonly Expression[],
  names: readonly OutputColumn[],
): SelectStatement {
  const body: Select = { kind: 'select', distinct: false, grouped: false, from, where: null, columns };
  return { ...statementOf(body), columns: names };
}

/** Returns references to all columns of a source. */
export function columnsOf(source: number, columns: readonly OutputColumn[]): readonly ColumnValue[] {
  return columns.map(({ type }, column) => ({ kind: 'column', source, column, type }));
}

/**
 * Converts the columns of a statement to the given types.
 * @param next - returns an unused source number.
 */
export function withTypes(statement: SelectStatement, types: readonly SqlType[], next: () => number): SelectStatement {
  const { body } = statement;
  if (statement.columns.every(({ type }, index) => type === types[index])) return statement;
  const columns = statement.columns.map((column, index) => ({ ...column, type: types[index] ?? column.type }));
  if (body.kind === 'select') {
    const values = body.columns.map((value, index) => coerce(value, types[index] ?? value.type));
    return { ...statement, columns, body: { ...body, columns: values } };
  }
  const source = next();
  const values = columnsOf(source, statement.columns).map((value, index) => coerce(value, types[index] ?? value.type));
  return selectOver({ kind: 'statement', source, statement }, values, columns);
}
