import type { FuncCall, Node, WindowDef } from 'libpg-query';
import { Clause, quoteName } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import { commonType, isNumber, SqlType } from '../sql-type.js';
import type { Expression, Frame, FrameBound, SortKey, Window } from '../tree.js';
import {
  aggregateArguments,
  aggregateName,
  aggregateType,
  isPlainAggregate,
  readFilter,
  resolveUnknownType,
} from './aggregates.js';
import { coerce } from './literals.js';
import { checkRepetition, present, type Reader, sortKey, Within } from './reader.js';

/** Bit masks with which the parser encodes frames. */
const bit = {
  written: 0x1,
  range: 0x2,
  rows: 0x4,
  groups: 0x8,
  excluding: 0x8000 | 0x10000 | 0x20000,
} as const;

const starts: readonly (readonly [number, FrameBound['at']])[] = [
  [0x20, 'unbounded-preceding'],
  [0x200, 'current'],
  [0x800, 'preceding'],
  [0x2000, 'following'],
];
const ends: readonly (readonly [number, FrameBound['at']])[] = [
  [0x100, 'unbounded-following'],
  [0x400, 'current'],
  [0x1000, 'preceding'],
  [0x4000, 'following'],
];

function frameMode(options: number): 'rows' | 'groups' | 'range' {
  if ((options & bit.rows) !== 0) return 'rows';
  return (options & bit.groups) !== 0 ? 'groups' : 'range';
}

/** Reads the frame of a window. Returns `null` for the default frame. */
function readFrame(window: WindowDef, order: readonly SortKey[]): Frame | null {
  const { frameOptions: options = 0, startOffset, endOffset, location: at } = window;
  if ((options & bit.written) === 0) return null;
  if ((options & bit.excluding) !== 0) throw new SqlProblem('EXCLUDE is not supported in a window frame', at);
  const mode = frameMode(options);
  if (mode === 'groups' && order.length === 0) throw new SqlProblem('GROUPS requires an ORDER BY clause', at);
  if (
    mode === 'range' &&
    (startOffset || endOffset) &&
    !(order.length === 1 && order[0] && isNumber(order[0].value.type))
  ) {
    throw new SqlProblem('RANGE with an offset requires exactly one numeric ORDER BY column: use ROWS', at);
  }
  return { mode, start: boundOf(starts, options, startOffset, at), end: boundOf(ends, options, endOffset, at) };
}

function boundOf(bounds: typeof starts, options: number, offset: Node | undefined, at: number | undefined): FrameBound {
  const [, place] = bounds.find(([flag]) => (options & flag) !== 0) ?? [];
  if (place === undefined) throw new SqlProblem('The window frame ends before it starts', at);
  if (place !== 'preceding' && place !== 'following') return { at: place, offset: null };
  const value = offset && 'A_Const' in offset && offset.A_Const.ival ? (offset.A_Const.ival.ival ?? 0) : -1;
  if (value < 0) throw new SqlProblem('The offset of a window frame must be a constant whole number', at);
  return { at: place, offset: value };
}

/** A window function: its numbers of arguments, and its type if it is not the type of the first argument. */
interface Rule {
  readonly min: number;
  readonly max: number;
  readonly type?: SqlType;
}

const rules: Readonly<Record<string, Rule>> = {
  row_number: { min: 0, max: 0, type: SqlType.bigint },
  rank: { min: 0, max: 0, type: SqlType.bigint },
  dense_rank: { min: 0, max: 0, type: SqlType.bigint },
  percent_rank: { min: 0, max: 0, type: SqlType.double },
  cume_dist: { min: 0, max: 0, type: SqlType.double },
  ntile: { min: 1, max: 1, type: SqlType.integer },
  lag: { min: 1, max: 3 },
  lead: { min: 1, max: 3 },
  first_value: { min: 1, max: 1 },
  last_value: { min: 1, max: 1 },
  nth_value: { min: 2, max: 2 },
};

/** Maximum length of a chain of windows that refer to each other. */
const maxNames = 20;

/** Names of all functions that require a window. */
export const windowFunctions: readonly string[] = Object.keys(rules);

/** Whether a function requires a window. */
export function isWindowFunction(name: string): boolean {
  return Object.hasOwn(rules, name);
}

/** Reads a function with OVER. */
export function readWindow(name: string, node: FuncCall, over: WindowDef, reader: Reader): Window {
  const at = node.location;
  const { clause } = reader.scope;
  if (clause !== Clause.select && clause !== Clause.order) {
    throw new SqlProblem(
      `Window functions are not allowed in ${clause}: compute them in a subquery and filter its rows`,
      at,
    );
  }
  if (reader.within !== Within.clause) throw new SqlProblem(`Window functions are not allowed in ${reader.within}`, at);
  if (node.agg_distinct || node.agg_order || node.agg_within_group) {
    throw new SqlProblem('DISTINCT, ORDER BY and WITHIN GROUP are not supported with OVER', at);
  }
  const inside = reader.inside(Within.window);
  const { args, type } = isPlainAggregate(name) ? overAggregate(name, node, inside) : overFunction(name, node, inside);
  const { partition, order, frame } = windowOf(over, inside);
  return {
    kind: 'window',
    type,
    name: aggregateName(name),
    args,
    filter: readFilter(node, inside),
    partition,
    order,
    frame: readFrame(frame, order),
  };
}

interface Called {
  readonly args: readonly Expression[];
  readonly type: SqlType;
}

function overAggregate(name: string, node: FuncCall, reader: Reader): Called {
  const args = aggregateArguments(name, node, reader);
  return { args, type: aggregateType(name, args[0]?.type ?? SqlType.bigint, node.location) };
}

function argumentCount(count: number | string): string {
  if (count === 0) return 'no arguments';
  return count === 1 ? '1 argument' : `${count} arguments`;
}

function overFunction(name: string, node: FuncCall, reader: Reader): Called {
  const at = node.location;
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  const nodes = node.args ?? [];
  if (!rule) throw new SqlProblem(`The window function ${name}() is not supported`, at);
  if (node.agg_filter || node.agg_star || nodes.length < rule.min || nodes.length > rule.max) {
    const count = rule.min === rule.max ? rule.max : `${rule.min} to ${rule.max}`;
    throw new SqlProblem(`${name}() takes ${argumentCount(count)} and does not support FILTER`, at);
  }
  const args = nodes.map(one => reader.read(one));
  const typed = name === 'ntile' ? args : valueArguments(args, at);
  if (name === 'ntile' || name === 'nth_value') checkCount(name, typed.at(-1), at);
  return { args: typed, type: rule.type ?? typed[0]?.type ?? SqlType.text };
}

/** Requires a positive constant, because the engines treat other values differently. */
function checkCount(name: string, count: Expression | undefined, at: number | undefined): void {
  if (count?.kind === 'literal' && count.type === SqlType.integer && Number(count.value) > 0) return;
  throw new SqlProblem(`${name}() requires a constant whole number, 1 or greater`, at);
}

/** Reads a value and, for `lag` and `lead`, a row offset and a default for missing rows. */
function valueArguments(args: readonly Expression[], at: number | undefined): readonly Expression[] {
  const [value, rows, otherwise] = args;
  if (value === undefined) return [];
  if (rows === undefined) return [resolveUnknownType(value, at)];
  const count = coerce(rows, SqlType.integer, at);
  if (otherwise === undefined) return [resolveUnknownType(value, at), count];
  const type = commonType([value.type, otherwise.type], at);
  return [coerce(value, type, at), count, coerce(otherwise, type, at)];
}

interface Definition {
  readonly partition: readonly Expression[];
  readonly order: readonly SortKey[];
  /** Returns the window definition that sets the frame, which is never a referenced window. */
  readonly frame: WindowDef;
}

/** Resolves a window and the windows that it refers to. */
function windowOf(window: WindowDef, reader: Reader, names = 0): Definition {
  const at = window.location;
  if (names > maxNames) throw new SqlProblem('Too many windows refer to each other', at);
  if (window.name !== undefined && window.name !== '' && names === 0)
    return windowOf(windowByName(window.name, reader, at), reader, 1);
  const own = {
    partition: (window.partitionClause ?? []).map(one => resolveUnknownType(reader.read(one), at)),
    order: (window.orderClause ?? []).map(one => keyOf(one, reader)),
    frame: window,
  };
  // Read a named window again for each reference.
  if (names > 0) checkRepetition([...own.partition, ...own.order.map(({ value }) => value)], maxNames, at);
  if (window.refname === undefined || window.refname === '') return own;
  const base = windowOf(windowByName(window.refname, reader, at), reader, names + 1);
  if (
    own.partition.length > 0 ||
    (own.order.length > 0 && base.order.length > 0) ||
    readFrame(base.frame, base.order)
  ) {
    throw new SqlProblem(
      `The window cannot override the partition, order or frame of ${quoteName(window.refname)}`,
      at,
    );
  }
  return { partition: base.partition, order: own.order.length > 0 ? own.order : base.order, frame: window };
}

function windowByName(name: string, { scope }: Reader, at: number | undefined): WindowDef {
  const node = scope.window(name, at);
  if (!('WindowDef' in node)) throw new SqlProblem(`Window ${quoteName(name)} does not exist`, at);
  return node.WindowDef;
}

function keyOf(node: Node, reader: Reader): SortKey {
  if (!('SortBy' in node)) throw new SqlProblem('ORDER BY of a window requires values');
  return sortKey(node.SortBy, resolveUnknownType(reader.read(present(node.SortBy.node)), node.SortBy.location));
}
