import type { ColumnRef, Node, SelectStmt } from 'libpg-query';
import { converted } from '../expression/conversion.js';
import type { Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Expression } from '../tree.js';
import { stringOf } from './from.js';
import type { Level } from './level.js';
import { shown } from './names.js';
import { outputName } from './output-name.js';

/** A column that a select gives out. */
export interface Target {
  readonly name: string;
  readonly value: Expression;
  /** Whether it has another name, by AS, than it would have without. */
  readonly aliased?: boolean;
}

/** What the columns of a select are read with. */
export interface TargetReader {
  readonly level: Level;
  readonly scope: Scope;
  read(node: Node, scope: Scope): Expression;
  /** Whether constants without a type keep none: a set operation gives them that of its other side. */
  readonly keepsUnknown: boolean;
  /** Whether rows are put together by the columns: each is compared with each key then. */
  readonly isOfGroups: boolean;
}

/** As many as Postgres has columns; each `*` may double them. */
const maxTargets = 1600;

/** As many as a select with DISTINCT or GROUP BY has. */
const maxGrouped = 200;

/** Reads the select list, `*` written out. */
export function readTargets(reader: TargetReader, list: readonly Node[]): readonly Target[] {
  const targets: Target[] = [];
  const most = reader.isOfGroups ? maxGrouped : maxTargets;
  const kind = reader.isOfGroups ? 'a select with DISTINCT or GROUP BY' : 'a select';
  for (const node of list) {
    if (!('ResTarget' in node) || node.ResTarget.val === undefined) continue;
    const { name, val, location: at } = node.ResTarget;
    if (isStar(val)) targets.push(...starred(reader.level, val.ColumnRef));
    else {
      const value = settled(reader, reader.read(val, reader.scope));
      const own = outputName(val);
      targets.push(name === undefined || name === own ? { name: own, value } : { name, value, aliased: true });
    }
    if (targets.length > most) throw new SqlProblem(`${kind} may have ${most} columns`, at);
  }
  if (targets.length === 0) throw new SqlProblem('a select needs columns');
  return targets;
}

/** Where a column that a select gives out stands in the text: of what `*` gives, the `*`. */
export function placeOfColumn({ larg, targetList = [] }: SelectStmt, place: number): number | undefined {
  if (larg) return placeOfColumn(larg, place);
  const targets = targetList.flatMap(node => ('ResTarget' in node ? node.ResTarget : []));
  const star = targets.find(({ val }) => isStar(val));
  return targets.slice(0, place + 1).find(target => target === star)?.location ?? targets[place]?.location;
}

function isStar(node: Node | undefined): node is { ColumnRef: ColumnRef } {
  return node !== undefined && 'ColumnRef' in node && node.ColumnRef.fields?.some(field => 'A_Star' in field) === true;
}

function settled({ keepsUnknown }: TargetReader, value: Expression): Expression {
  return value.type === SqlType.unknown && !keepsUnknown ? converted(value, SqlType.text) : value;
}

function starred(level: Level, { fields = [], location: at }: ColumnRef): Target[] {
  const [table, ...rest] = fields.slice(0, -1).map(stringOf);
  const relation = table === undefined || rest.length > 0 ? undefined : level.relation(table, at);
  if (table !== undefined && relation === undefined) throw new SqlProblem(`${shown(table)} does not stand in FROM`, at);
  const relations = relation === undefined ? level.relations : [relation];
  if (relations.length === 0) throw new SqlProblem('* needs something in FROM', at);
  return relations.flatMap(one => one.all().map(column => ({ name: column.name, value: column.value(at) })));
}
