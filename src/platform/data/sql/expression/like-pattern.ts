import { raise, ValueProblem } from '../../engines/query-problem.js';
import { SqlType } from '../sql-type.js';
import type { Call, Expression } from '../tree.js';
import type { Rewritten } from './define-operation.js';
import { literal } from './literals.js';
import { boundedMatch, type PatternCost } from './regex-pattern.js';

/** A character, or `null` for any one character (`_`). */
type Token = string | null;

/** A LIKE pattern split at `%`. */
type Segments = readonly (readonly Token[])[];

/**
 * Maximum number of characters of a pattern with `_` or escapes for DuckDB's LIKE, whose number of steps is the product
 * of the lengths of text and pattern.
 */
const maxNativeLength = 50;
/** Maximum estimated number of steps of DuckDB's LIKE per row, for patterns that are not constant. */
const maxNativeSteps = 1_000_000;

/**
 * Prints LIKE or ILIKE for DuckDB. The LIKE of DuckDB takes time exponential in the number of `%` and cannot be
 * interrupted, except for constant patterns without `_` and escapes. Other patterns with several `%` become regular
 * expressions, which RE2 matches in linear time.
 */
export function duckdbLike(call: Call): Rewritten {
  const { name, args } = call;
  const [value, pattern] = args;
  const operator = name === 'ilike' ? 'ILIKE' : 'LIKE';
  const segments = constantSegments(call);
  if (value === undefined || pattern === undefined) throw new Error(`${name} takes three arguments`);
  if (segments === undefined) return { text: openLike(operator), args };
  switch (formOf(segments)) {
    case 'plain':
      // ILIKE is fast for a prefix, because it stops early. In other cases, use LIKE on lower-case text, which is
      // faster and takes linear time.
      return operator === 'LIKE' || isPrefix(segments)
        ? { text: `$1 ${operator} $2`, args: [value, text(plainText(segments))] }
        : { text: 'lower($1) LIKE lower($2)', args: [value, text(plainText(segments))] };
    case 'escaped':
      return { text: `$1 ${operator} $2 ESCAPE '\\'`, args: [value, text(escapedText(segments))] };
    case 'regex': {
      // `lower` is safe, because all letters of the regular expression are literals.
      const match =
        operator === 'LIKE' ? "regexp_full_match($1, $2, 's')" : "regexp_full_match(lower($1), lower($2), 's')";
      return { text: boundedMatch(match, regexCost(segments)), args: [value, text(regexText(segments))] };
    }
  }
}

/** Returns the cost of a LIKE or ILIKE call for RE2 in DuckDB; zero if the call does not use RE2. */
export function likeCost(call: Call): PatternCost {
  const segments = constantSegments(call);
  return segments && formOf(segments) === 'regex' ? regexCost(segments) : { states: 0, wildcards: 0 };
}

/**
 * Prints LIKE with a pattern that is not constant. Limits the number of steps, estimated from the `%` that are not at
 * the end.
 */
function openLike(operator: string): string {
  const percents = "strlen(rtrim($2, '%')) - strlen(replace($2, '%', ''))";
  const steps = `power(strlen($1), least(${percents}, 20)) * strlen($2)`;
  return `CASE WHEN ${steps} > ${maxNativeSteps} THEN ${raise(ValueProblem.pattern)} ELSE $1 ${operator} $2 ESCAPE $3 END`;
}

function constantSegments({ args: [, pattern, mark] }: Call): Segments | undefined {
  if (pattern?.kind !== 'literal' || pattern.value === null || mark?.kind !== 'literal') return undefined;
  return segmentsOf(String(pattern.value), String(mark.value ?? ''));
}

function segmentsOf(pattern: string, mark: string): Segments {
  const segments: Token[][] = [[]];
  let isEscaped = false;
  for (const character of pattern) {
    if (!isEscaped && character === mark) isEscaped = true;
    else if (!isEscaped && character === '%') segments.push([]);
    else {
      segments.at(-1)?.push(!isEscaped && character === '_' ? null : character);
      isEscaped = false;
    }
  }
  // Consecutive `%` are equivalent to a single `%`.
  return segments.filter(({ length }, index) => length > 0 || index === 0 || index === segments.length - 1);
}

function formOf(segments: Segments): 'plain' | 'escaped' | 'regex' {
  const tokens = segments.flat();
  if (!tokens.some(token => token === null || token === '%' || token === '_')) return 'plain';
  const isShort = tokens.length <= maxNativeLength;
  const isLast = segments.at(-1)?.length === 0;
  return isShort && segments.length <= (isLast ? 3 : 2) ? 'escaped' : 'regex';
}

/** Whether the pattern is literal text, optionally followed by `%`. */
function isPrefix(segments: Segments): boolean {
  return segments.length === 1 || (segments.length === 2 && segments[1]?.length === 0);
}

function plainText(segments: Segments): string {
  return segments.map(tokens => tokens.join('')).join('%');
}

function escapedText(segments: Segments): string {
  return segments.map(tokens => tokens.map(token => token?.replace(/[\\%_]/, '\\$&') ?? '_').join('')).join('%');
}

function regexText(segments: Segments): string {
  return segments
    .map(tokens => tokens.map(token => token?.replace(/[\\^$.[\](){}|*+?]/, '\\$&') ?? '.').join(''))
    .join('.*');
}

function regexCost(segments: Segments): PatternCost {
  const tokens = segments.flat();
  return { states: tokens.length + segments.length - 1, wildcards: tokens.filter(token => token === null).length };
}

function text(value: string): Expression {
  return literal(SqlType.text, value);
}
