import { SqlType } from '../sql-type.js';
import { type Operation, operation } from './define-operation.js';

const { boolean } = SqlType;

const tests: readonly Operation[] = [
  ['is_null', 'IS NULL'],
  ['is_not_null', 'IS NOT NULL'],
].map(([name = '', test]) => operation(name, 'alike', boolean, `$1 ${test}`));

const truths: readonly Operation[] = [
  ['is_true', 'IS TRUE'],
  ['is_not_true', 'IS NOT TRUE'],
  ['is_false', 'IS FALSE'],
  ['is_not_false', 'IS NOT FALSE'],
].map(([name = '', test]) => operation(name, [boolean], boolean, `$1 ${test}`));

const comparisons: readonly Operation[] = ['=', '<>', '<', '<=', '>', '>='].map(name =>
  operation(name, 'alike', boolean, `$1 ${name} $2`),
);

const joined: readonly Operation[] = ['and', 'or'].map(name =>
  operation(
    name,
    [boolean],
    boolean,
    ({ args }) => args.map((_, index) => `$${index + 1}`).join(` ${name.toUpperCase()} `),
    {
      variadic: true,
    },
  ),
);

/** Comparisons, three-valued logic and conditional functions. */
export const logicOperations: readonly Operation[] = [
  ...tests,
  ...truths,
  ...comparisons,
  ...joined,
  operation('not', [boolean], boolean, 'NOT $1'),
  operation('is_distinct', 'alike', boolean, '$1 IS DISTINCT FROM $2'),
  operation('is_not_distinct', 'alike', boolean, '$1 IS NOT DISTINCT FROM $2'),
  operation('between', 'alike', boolean, '$1 BETWEEN $2 AND $3'),
  operation('in', 'alike', boolean, ({ args }) => `$1 IN (${args.slice(1).map((_, index) => `$${index + 2}`)})`),
  operation('coalesce', 'alike', 'same', 'COALESCE($*)'),
  operation('nullif', 'alike', 'same', 'NULLIF($1, $2)'),
  operation('greatest', 'alike', 'same', 'GREATEST($*)'),
  operation('least', 'alike', 'same', 'LEAST($*)'),
];
