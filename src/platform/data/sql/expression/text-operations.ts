import { raise, ValueProblem } from '../../engines/query-problem.js';
import { SqlType } from '../sql-type.js';
import type { Call } from '../tree.js';
import { type Operation, operation } from './define-operation.js';
import { duckdbLike } from './like-pattern.js';
import { duckdbMatch } from './regex-pattern.js';

const { text, integer, boolean } = SqlType;

// DuckDB compares text bytewise, like Postgres with the collation "C".

// For positions before the first character, Postgres counts nonexistent characters, but DuckDB counts from the end.
const start = 'CASE WHEN $2 < 1 THEN 1 ELSE $2 END';
const count =
  `CASE WHEN $3 < 0 THEN ${raise(ValueProblem.part)} ` +
  'WHEN $2 < 1 THEN CASE WHEN $2 + $3 < 1 THEN 0 ELSE $2 + $3 - 1 END ELSE $3 END';

const parts: readonly Operation[] = [
  ...['substring', 'substr'].flatMap(name => [
    operation(name, [text, integer], text, 'substring($1, $2)', { duckdb: `substring($1, ${start})` }),
    operation(name, [text, integer, integer], text, 'substring($1, $2, $3)', {
      duckdb: `substring($1, ${start}, ${count})`,
    }),
  ]),
  operation('left', [text, integer], text, 'left($1, $2)'),
  operation('right', [text, integer], text, 'right($1, $2)'),
  operation('split_part', [text, text, integer], text, 'split_part($1, $2, $3)'),
  ...[
    ['btrim', 'trim'],
    ['ltrim', 'ltrim'],
    ['rtrim', 'rtrim'],
  ].flatMap(([name = '', duckdb]) => [
    // Remove only spaces. By default, DuckDB would also remove other white space.
    operation(name, [text], text, `${name}($1, ' ')`, { duckdb: `${duckdb}($1, ' ')` }),
    operation(name, [text, text], text, `${name}($1, $2)`, { duckdb: `${duckdb}($1, $2)` }),
  ]),
];

const places: readonly Operation[] = ['position', 'strpos'].map(name =>
  operation(name, [text, text], integer, 'strpos($1, $2)', { duckdb: 'CAST(strpos($1, $2) AS INTEGER)' }),
);

const lengths: readonly Operation[] = ['length', 'char_length', 'character_length'].map(name =>
  operation(name, [text], integer, 'length($1)', { duckdb: 'CAST(length($1) AS INTEGER)' }),
);

const joined: readonly Operation[] = [
  operation('||', [text], text, call => call.args.map((_, index) => `$${index + 1}`).join(' || '), {
    variadic: true,
    grows: true,
  }),
  operation('concat', [text], text, 'concat($*)', { variadic: true, grows: true }),
  operation('concat_ws', [text, text], text, 'concat_ws($*)', { variadic: true, grows: true }),
  operation('replace', [text, text, text], text, 'replace($1, $2, $3)', { grows: true }),
];

/**
 * Prints LIKE or ILIKE for Postgres. The planner tests a pattern against sampled column values of all tenants, so the
 * error of a pattern that ends with its escape character could leak them. Postgres has no samples of computed values.
 */
function likeOnPostgres(operator: string, { args: [, pattern, mark] }: Call): string {
  const isRead = pattern?.kind === 'literal' && mark?.kind === 'literal';
  return `${isRead ? '$1' : "($1 || '')"} ${operator} $2 ESCAPE $3`;
}

const patterns: readonly Operation[] = [
  operation('like', [text, text, text], boolean, '$1 LIKE $2 ESCAPE $3', {
    duckdb: duckdbLike,
    postgres: call => likeOnPostgres('LIKE', call),
    syntax: true,
  }),
  operation('ilike', [text, text, text], boolean, '$1 ILIKE $2 ESCAPE $3', {
    duckdb: duckdbLike,
    postgres: call => likeOnPostgres('ILIKE', call),
    syntax: true,
  }),
  operation('~', [text, text], boolean, '$1 ~ $2', { duckdb: duckdbMatch }),
  operation('~*', [text, text], boolean, '$1 ~* $2', { duckdb: duckdbMatch }),
  operation('starts_with', [text, text], boolean, 'starts_with($1, $2)'),
];

/** Text functions. */
export const textOperations: readonly Operation[] = [
  operation('upper', [text], text, 'upper($1)'),
  operation('lower', [text], text, 'lower($1)'),
  ...parts,
  ...places,
  ...lengths,
  ...joined,
  ...patterns,
];
