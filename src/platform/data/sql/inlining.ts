import { plannedNodes } from './expression/weight.js';
import type { Body, Expression, SelectStatement, Source } from './tree.js';

/** Nodes of a column that may be copied to every place where it is named. */
const maxCopied = 8;

/**
 * True for a sub-select whose columns an engine must not copy to where they are named: Postgres does so with whatever neither groups nor
 * limits rows, DuckDB with conditions that it moves inwards. In a chain of sub-selects every copy is copied again, and a planner
 * takes all memory that there is before it looks at any time limit.
 */
export function mustStandAlone({ body, limit, offset }: SelectStatement): boolean {
  return limit === null && offset === 0 && copiesMuch(body);
}

function copiesMuch(body: Body): boolean {
  if (body.kind === 'set') return copiesMuch(body.left.body) || copiesMuch(body.right.body);
  const computed = body.columns.filter(isComputed);
  if (computed.length === 0) return false;
  return (body.from !== null && hasSubSelect(body.from)) || computed.some(column => plannedNodes(column) > maxCopied);
}

function isComputed({ kind }: Expression): boolean {
  return kind !== 'column' && kind !== 'literal';
}

function hasSubSelect(source: Source): boolean {
  if (source.kind === 'join') return hasSubSelect(source.left) || hasSubSelect(source.right);
  return source.kind !== 'cube';
}
