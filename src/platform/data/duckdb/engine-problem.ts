import { LoggableError, PlatformError } from '../../errors.js';
import { QueryProblem } from '../query-problem.js';
import { ValueProblem } from '../sql/expression/value-problem.js';

/** Errors that the query itself brings about, by the class that stands before the engine's colon. */
const queryProblems: ReadonlyMap<string, string> = new Map([
  ['Out of Memory Error', QueryProblem.memory],
  ['Conversion Error', QueryProblem.value],
  ['Out of Range Error', ValueProblem.range],
]);

/** A pattern that a row or an expression gave. */
const patternProblem =
  'A pattern of LIKE ends with its escape character: write that twice, or leave out the rows where it does by a filter.';

/** What DuckDB counts in its own tree of a statement, so we can't before. */
const depthProblem = 'The query is nested too deeply, or makes too much of one expression: take it apart with WITH.';

/** What the beginnings of some errors say more of, by the whole line up to where a value may stand. */
const causes: readonly (readonly [beginning: RegExp, told: string])[] = [
  [/^Syntax Error: Like pattern must not end with escape character/, patternProblem],
  [/^(Binder|Parser) Error: Max expression depth limit of /, depthProblem],
  [/^Out of Range Error: cannot take logarithm of /, ValueProblem.logarithm],
  [/^Out of Range Error: cannot take square root of /, ValueProblem.root],
  [/^Conversion Error: Type \w+ with value \S+ can't be cast because the value is out of range /, ValueProblem.range],
  [/^Conversion Error: (Date out of range|Date and time not in timestamp range)/, ValueProblem.range],
];

/** What our own SQL says of a value: the rest of such an error's first line, as it stands. */
const valueProblems: ReadonlySet<string> = new Set(Object.values(ValueProblem));

/** Classes whose first line speaks of names in our SQL, never of a value in a row. */
const namesOnly: ReadonlySet<string> = new Set(['Binder Error', 'Catalog Error', 'Parser Error']);

/**
 * Turns what the engine threw into what may be shown: a `PlatformError` for what the query brought about, else an error for the
 * log. The engine's own text is dropped wherever it can quote a value of a row or of a policy.
 */
export function engineProblem(error: unknown): Error {
  if (error instanceof PlatformError) return error;
  const firstLine = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : '';
  const kind = firstLine.split(':', 1)[0] ?? '';
  const told = causes.find(([beginning]) => beginning.test(firstLine))?.[1] ?? queryProblems.get(kind);
  if (told !== undefined) return new PlatformError(400, told);
  const own = firstLine.slice('Invalid Input Error: '.length);
  if (kind === 'Invalid Input Error' && valueProblems.has(own)) return new PlatformError(400, own);
  if (own.startsWith('More than one row returned by a subquery')) return new PlatformError(400, QueryProblem.rows);
  if (namesOnly.has(kind)) return new LoggableError(`The engine refused a statement: ${firstLine}`);
  return new LoggableError(`The engine failed: ${/^[A-Za-z ]{1,40} Error$/.test(kind) ? kind : 'unknown error'}`);
}
