import { isDeepStrictEqual } from 'node:util';
import type { Body, Expression, SelectStatement, SortKey, Source } from './tree.js';

/**
 * Returns the replacement of an expression, or `undefined` to leave it and rewrite its parts.
 * @param level - `inner` for parts of a select inside the rewritten expression.
 */
export type Replace = (expression: Expression, level: Level) => Expression | undefined;

type Level = 'own' | 'inner';

/**
 * Replaces parts of an expression from the outside in, including those of inner selects. Does not change any
 * `CubeQuery`.
 */
export function rewrite(expression: Expression, replace: Replace): Expression {
  return replace(expression, 'own') ?? rewriteParts(expression, part => rewrite(part, replace), replace);
}

/** Whether an expression or any of its parts passes a test. */
export function someOf(expression: Expression, passes: (part: Expression, level: Level) => boolean): boolean {
  let found = false;
  rewrite(expression, (part, level) => {
    found ||= passes(part, level);
    return found ? part : undefined;
  });
  return found;
}

function rewriteStatement(statement: SelectStatement, replace: Replace): SelectStatement {
  return {
    ...statement,
    with: statement.with.map(table => ({ ...table, statement: rewriteStatement(table.statement, replace) })),
    body: rewriteBody(statement.body, replace),
    order: rewriteKeys(statement.order, part => rewrite(part, replace)),
  };
}

function rewriteBody(body: Body, replace: Replace): Body {
  if (body.kind === 'set')
    return { ...body, left: rewriteStatement(body.left, replace), right: rewriteStatement(body.right, replace) };
  return {
    ...body,
    from: body.from && rewriteSource(body.from, replace),
    columns: body.columns.map(column => rewrite(column, replace)),
    where: body.where && rewrite(body.where, replace),
  };
}

function rewriteSource(source: Source, replace: Replace): Source {
  if (source.kind === 'statement') return { ...source, statement: rewriteStatement(source.statement, replace) };
  if (source.kind !== 'join') return source;
  return {
    ...source,
    left: rewriteSource(source.left, replace),
    right: rewriteSource(source.right, replace),
    on: source.on && rewrite(source.on, replace),
  };
}

type Change = (part: Expression) => Expression;

function rewriteKeys(keys: readonly SortKey[], change: Change): SortKey[] {
  return keys.map(key => ({ ...key, value: change(key.value) }));
}

function rewriteParts(expression: Expression, change: Change, replace: Replace): Expression {
  switch (expression.kind) {
    case 'call':
      return { ...expression, args: expression.args.map(change) };
    case 'cast':
      return { ...expression, value: change(expression.value) };
    case 'case':
      return {
        ...expression,
        branches: expression.branches.map(branch => ({ when: change(branch.when), value: change(branch.value) })),
        otherwise: expression.otherwise && change(expression.otherwise),
      };
    case 'aggregate':
      return {
        ...expression,
        args: expression.args.map(change),
        filter: expression.filter && change(expression.filter),
        order: rewriteKeys(expression.order, change),
      };
    case 'window':
      return {
        ...expression,
        args: expression.args.map(change),
        filter: expression.filter && change(expression.filter),
        partition: expression.partition.map(change),
        order: rewriteKeys(expression.order, change),
      };
    case 'subquery':
      return {
        ...expression,
        operand: expression.operand && change(expression.operand),
        select: rewriteStatement(expression.select, part => replace(part, 'inner')),
      };
    default:
      return expression;
  }
}

/** Whether a value contains an aggregate or a measure, except in inner selects. */
export function holdsAggregate(value: Expression): boolean {
  return someOf(value, ({ kind }, level) => level === 'own' && (kind === 'aggregate' || kind === 'measure'));
}

/** Whether a value contains a window function, except in inner selects. */
export function holdsWindow(value: Expression): boolean {
  return someOf(value, ({ kind }, level) => level === 'own' && kind === 'window');
}

/** Whether two values are equal. */
export function isSame(one: Expression, other: Expression): boolean {
  return one.kind === other.kind && isDeepStrictEqual(one, other);
}
