import type { Node } from 'libpg-query';
import { readSortKey } from '../expression/read-expression.js';
import { holdsAggregate, holdsWindow, isSame } from '../rewrite.js';
import { Clause, findByName, quoteName, type Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import type { Expression, SortKey } from '../tree.js';
import { stringOf } from './from.js';
import { type Level, placeOf } from './select-context.js';
import type { Target } from './select-list.js';

/** Context in which the keys of GROUP BY and ORDER BY are read. */
export interface KeyReader {
  readonly level: Level;
  readonly targets: readonly Target[];
  scope(clause: Clause): Scope;
  read(node: Node, scope: Scope): Expression;
}

/** Reads GROUP BY. As in Postgres, a name refers to a column of FROM first, then to a column of the select list. */
export function readGroups(reader: KeyReader, nodes: readonly Node[]): readonly Expression[] {
  const scope = reader.scope(Clause.group);
  const keys = nodes.flatMap(node => {
    if ('GroupingSet' in node) {
      if (node.GroupingSet.kind === 'GROUPING_SET_EMPTY') return [];
      throw new SqlProblem(
        'GROUPING SETS, ROLLUP and CUBE are not supported: combine queries with UNION ALL',
        placeOf(node),
      );
    }
    // A row in parentheses is a list of keys.
    if ('RowExpr' in node) return [...readGroups(reader, node.RowExpr.args ?? [])];
    const name = nameOf(node);
    const isColumn = name !== undefined && reader.level.own([name], placeOf(node)) !== undefined;
    const named = name === undefined || isColumn ? undefined : targetOf(reader, name, node);
    const value = (named ?? ordinal(reader, node, Clause.group))?.value ?? reader.read(node, scope);
    if (holdsAggregate(value)) throw new SqlProblem('Aggregate functions are not allowed in GROUP BY', placeOf(node));
    if (holdsWindow(value)) throw new SqlProblem('Window functions are not allowed in GROUP BY', placeOf(node));
    return value;
  });
  return distinctKeys(keys, key => key);
}

/** Reads ORDER BY. As in Postgres, a name refers to a column of the select list first, then to a column of FROM. */
export function readOrder(reader: KeyReader, nodes: readonly Node[]): readonly SortKey[] {
  const scope = reader.scope(Clause.order);
  const keys = nodes.map(node => {
    if (!('SortBy' in node)) throw new SqlProblem('ORDER BY requires a value', placeOf(node));
    return readSortKey(node.SortBy, scope, value => {
      const name = nameOf(value);
      const target = name === undefined ? ordinal(reader, value, Clause.order) : targetOf(reader, name, value);
      return target?.value ?? reader.read(value, scope);
    });
  });
  return distinctKeys(keys, ({ value }) => value);
}

/** Removes duplicate keys, which have no effect. */
function distinctKeys<T>(keys: readonly T[], read: (key: T) => Expression): readonly T[] {
  return keys.filter((key, index) => keys.findIndex(other => isSame(read(other), read(key))) === index);
}

function targetOf({ targets }: KeyReader, name: string, node: Node): Target | undefined {
  const [first, ...others] = findByName(targets, name, target => target.name);
  if (others.some(other => first && !isSame(first.value, other.value)))
    throw new SqlProblem(
      `Column ${quoteName(name)} is ambiguous: several columns of the select list have this name`,
      placeOf(node),
    );
  return first;
}

function ordinal({ targets }: KeyReader, node: Node, clause: Clause): Target | undefined {
  if (!('A_Const' in node)) return undefined;
  const { ival } = node.A_Const;
  if (ival === undefined)
    throw new SqlProblem(
      `${clause} does not support constants: use a column name, an expression or a position`,
      placeOf(node),
    );
  const place = ival.ival ?? 0;
  const target = targets[place - 1];
  if (target === undefined)
    throw new SqlProblem(`${clause} position ${place} is not in the select list`, placeOf(node));
  return target;
}

function nameOf(node: Node): string | undefined {
  if (!('ColumnRef' in node)) return undefined;
  const [field, ...rest] = node.ColumnRef.fields ?? [];
  return field && rest.length === 0 && 'String' in field ? stringOf(field) : undefined;
}
