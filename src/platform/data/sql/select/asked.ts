import type { Access } from '../../model/access.js';
import { MemberKind } from '../../model/definition.js';
import { isPredefined } from '../../model/references.js';
import { conjunction, conjuncts, splitFilters } from '../cube-filters.js';
import { rewrite, someOf } from '../rewrite.js';
import { SqlProblem } from '../sql-problem.js';
import type { CommonTable, CubeColumn, CubeQuery, Expression, SelectStatement, Source, SubSelect } from '../tree.js';
import { type From, sourceOf } from './from.js';
import type { Reading } from './reading.js';
import type { CubeRelation } from './relation.js';
import { columnsOf, selectOver } from './table-select.js';

/** What is asked of a cube that puts rows together. */
export interface Asked extends Pick<CubeQuery, 'filters' | 'conditions'> {
  /** The keys as columns of the cube. */
  readonly keys: readonly Expression[];
  /** Selects that stand in conditions and keys. */
  readonly with: readonly CommonTable[];
}

/** Asks a cube for groups of rows: what is left of WHERE are conditions, since rows have to be left out before they are put together. */
export function askedOf(
  reading: Reading,
  relation: CubeRelation,
  { keys, where }: { readonly keys: readonly Expression[]; readonly where: Expression | null },
): Asked {
  const tables: CommonTable[] = [];
  const apart = (value: Expression): Expression =>
    rewrite(value, part => {
      if (part.kind !== 'sub-select') return undefined;
      checkNames(reading, part);
      const { table, select } = tableOf(reading, part);
      tables.push(table);
      return { ...part, operand: part.operand && apart(part.operand), select };
    });
  const { filters, rest } = splitFilters(conjuncts(where), {
    ...reading.model,
    pathOf: value => (value.kind === 'member' ? value.path : undefined),
  });
  return {
    keys: keys.map(key => relation.column(cubeColumn(apart(key), reading.model.access))),
    filters,
    conditions: rest.map(apart),
    with: tables,
  };
}

/** A key that was read in the select list may hold a select that uses names of the one around: it would be worked out before, and once. */
function checkNames({ places }: Reading, inside: SubSelect): void {
  someOf(inside, (part, isInside) => {
    if (!isInside || part.kind !== 'member') return false;
    const { name = 'this column', at } = places.get(part) ?? {};
    throw new SqlProblem(
      `${name} is a name of the select around: a sub-select by which rows are grouped can only use its own`,
      at,
    );
  });
}

/** What is read row by row; of WHERE, one cube is asked for what is a filter of a load query. */
export function rowsOf(parts: {
  readonly reading: Reading;
  readonly from: From | null;
  readonly where: Expression | null;
  readonly asked: number;
}): { readonly source: Source | null; readonly where: Expression | null } {
  const { reading, from, where, asked } = parts;
  if (from?.kind !== 'cube') return { source: from && sourceOf(from), where };
  const { relation } = from;
  const isOwn = (value: Expression) => value.kind === 'column' && value.source === relation.source;
  const columnOf = (value: Expression) => (value.kind === 'column' && isOwn(value) ? value.column : -1);
  const { filters, rest } = splitFilters(conjuncts(where), {
    ...reading.model,
    pathOf: value => {
      const column = relation.columns[columnOf(value)];
      return column?.kind === 'dimension' ? column.path : undefined;
    },
  });
  // What was asked for by filters alone is not a column.
  if (!rest.some(one => someOf(one, value => columnOf(value) >= asked))) relation.keep(asked);
  return { source: sourceOf(from, { filters, conditions: [] }), where: conjunction(rest) };
}

/** A truncated time of a predefined granularity is the very column that a load query has. */
function cubeColumn(value: Expression, { members }: Access): CubeColumn {
  const { type } = value;
  const isSegment = value.kind === 'member' && members.get(value.path)?.kind === MemberKind.segment;
  if (value.kind === 'member' && !isSegment) return { kind: 'dimension', path: value.path, type };
  if (value.kind === 'call' && value.name === 'date_trunc') {
    const [unit, time] = value.args;
    const granularity = unit?.kind === 'literal' ? String(unit.value).toLowerCase() : '';
    if (time?.kind === 'member' && isPredefined(granularity))
      return { kind: 'time', path: time.path, granularity, type };
  }
  return { kind: 'computed', value, type };
}

/** A select as a table of WITH, and the select that reads nothing but that. */
function tableOf(
  reading: Reading,
  { select }: SubSelect,
): { readonly table: CommonTable; readonly select: SelectStatement } {
  const id = reading.next();
  const source = reading.next();
  const { columns } = select;
  const from: Source = { kind: 'common-table', source, id, columns };
  return { table: { id, statement: select }, select: selectOver(from, columnsOf(source, columns), columns) };
}
