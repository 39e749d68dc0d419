import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Call } from '../tree.js';
import { literal } from './literals.js';
import type { Rewritten } from './operation.js';
import { boundedMatch, type PatternCost } from './pattern-cost.js';
import { regexCost } from './regex-subset.js';

/** Max characters that the ranges of a pattern that ignores case may span. */
const maxRange = 100_000;
const parts = /\\.|\[(\^?)((?:.-.|[^\]])+)\]|\p{L}/gsu;

/** Writes `~` or `~*` for DuckDB. */
export function duckdbMatch(call: Call): Rewritten {
  const { name, args } = call;
  const [value] = args;
  const pattern = patternOf(call);
  if (value === undefined) throw new Error(`${name} takes two arguments`);
  // DuckDB would make LIKE of `.` and `.*`, with its exponential time; of a group it does not.
  const regex = `(${name === '~*' ? withBothCases(pattern) : pattern})`;
  const isPlain = name === '~' && !pattern.includes('.');
  const match = boundedMatch("regexp_matches($1, $2, 's')", matchCost(call));
  return { text: match, args: [value, literal(SqlType.text, isPlain ? pattern : regex)] };
}

/** What a call of `~` or `~*` may cost RE2. */
export function matchCost(call: Call): PatternCost {
  return regexCost(patternOf(call)) ?? { states: 0, wildcards: 0 };
}

function patternOf({ args: [, pattern] }: Call): string {
  return pattern?.kind === 'literal' ? String(pattern.value ?? '') : '';
}

/**
 * A pattern that ignores case as Postgres does: a character stands for its own upper and lower case. RE2 would fold more characters into
 * one, such as `ſ` and `s`.
 * @throws SqlProblem if its ranges are too large.
 */
function withBothCases(pattern: string): string {
  let left = maxRange;
  return pattern.replace(parts, (part: string, not: string | undefined, set: string | undefined) => {
    if (part.startsWith('\\')) return part;
    if (set === undefined) return `[${bothCases(part).join('')}]`;
    const members = set.replace(
      /(.)-(.)|./gsu,
      (member: string, first: string | undefined, last: string | undefined) => {
        if (first === undefined || last === undefined) return bothCases(member).join('');
        const codes = codesOf(first, last);
        left -= codes.length;
        if (left < 0) throw new SqlProblem('The ranges of a pattern of ~* are too large');
        const others = codes.flatMap(code => bothCases(String.fromCodePoint(code)));
        return member + [...new Set(others)].filter(other => other < first || other > last).join('');
      },
    );
    return `[${not ?? ''}${members}]`;
  });
}

function codesOf(first: string, last: string): readonly number[] {
  const [from = 0, to = 0] = [first.codePointAt(0), last.codePointAt(0)];
  return Array.from({ length: Math.min(Math.max(to - from + 1, 0), maxRange + 1) }, (_, index) => from + index);
}

/** A character in lower and in upper case, by the mappings of one character to one. Of three cases, Postgres leaves out the third. */
function bothCases(character: string): string[] {
  const cases = [character === 'İ' ? 'i' : character.toLowerCase(), character.toUpperCase()];
  return [...new Set(cases.map(one => ([...one].length === 1 ? one : character)))];
}
