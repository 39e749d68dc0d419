import type { CommonTable, SelectStatement } from './tree.js';

/**
 * The tables of WITH that stand in one FROM alone, by id. They are written there: an engine would hold all rows of what stands in a
 * WITH, or has to find out that it needn't (and DuckDB 1.5.5 loses the parameters of what it moves from there).
 */
export function tablesUsedOnce(statement: SelectStatement): ReadonlyMap<number, CommonTable> {
  const tables = new Map<number, CommonTable>();
  const uses = new Map<number, number>();
  // The tree is JSON: every table and every use of one is an object in it.
  const look = (value: unknown, times: number): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isUse(value)) uses.set(value.id, (uses.get(value.id) ?? 0) + times);
    if (isStatement(value)) for (const table of value.with) tables.set(table.id, table);
    // What a cube is asked for may stand in its SQL any number of times.
    const inside = isCube(value) ? 2 : times;
    for (const part of Object.values(value)) look(part, inside);
  };
  look(statement, 1);
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
