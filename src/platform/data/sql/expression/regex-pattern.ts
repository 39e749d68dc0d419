import { raise, ValueProblem } from '../../engines/query-problem.js';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Call } from '../tree.js';
import type { Rewritten } from './define-operation.js';
import { literal } from './literals.js';

/** Upper bound of the cost of a pattern for RE2 per character of text. */
export interface PatternCost {
  /** Number of characters of the pattern after expanding repetitions. */
  readonly states: number;
  /** Number of these characters that match several characters. */
  readonly wildcards: number;
}

/** Maximum number of characters of a pattern after expanding repetitions. */
const maxPatternLength = 1000;
/**
 * Maximum number of states of an automaton that RE2 always caches. With more states, each character of text can cost a
 * step per state.
 */
const maxAutomatonStates = 16_384;
/**
 * Maximum number of steps of a complex pattern per row. Limited, because DuckDB reacts to interrupts only every 2,048
 * rows.
 */
const maxSteps = 50_000;

/** @throws SqlProblem for a pattern that is too long. */
export function checkPatternLength(length: number, at: number | undefined): void {
  if (length > maxPatternLength)
    throw new SqlProblem(
      `The pattern exceeds the limit of ${maxPatternLength} characters, with its repetitions expanded`,
      at,
    );
}

/** Whether an automaton for the pattern may grow exponentially. */
export function isComplex({ states, wildcards }: PatternCost): boolean {
  return states * 2 ** wildcards > maxAutomatonStates;
}

/**
 * Adds a check to a match of the text `$1` in DuckDB, which raises an error if the text is too long for a complex
 * pattern.
 */
export function boundedMatch(match: string, cost: PatternCost): string {
  if (!isComplex(cost)) return match;
  const maxBytes = Math.floor(maxSteps / cost.states);
  return `CASE WHEN strlen($1) > ${maxBytes} THEN ${raise(ValueProblem.pattern)} ELSE ${match} END`;
}

// Patterns with the same meaning in Postgres and in DuckDB's RE2: characters, `.`, sets of characters, groups,
// alternatives, repetition, `\d`, `^` at the start and `$` at the end. Other classes, back-references, look-around and
// lazy repetition are not supported.

const maxDepth = 20;
const character = /[^\\^$.[\](){}|*+?\p{Cc}]/uy;
const escaped = /\\[\\^$.[\](){}|*+?/-]/uy;
const wildcard = /\.|\\d|\[\^?(?:[^\\^[\]\p{Cc}-](?:-[^\\^[\]\p{Cc}-])?)+-?\]/uy;
const repetition = /[*+?]|\{(\d{1,3})(,(\d{1,3})?)?\}/uy;

/** A part of a pattern with its end and its cost. */
interface Part extends PatternCost {
  readonly end: number;
}

/**
 * Returns the cost of a regular expression, or `undefined` if it is not supported by both engines with the same
 * meaning.
 */
export function regexCost(pattern: string): PatternCost | undefined {
  const all = alternatives(pattern, 0, 0);
  return all?.end === pattern.length ? all : undefined;
}

function alternatives(pattern: string, from: number, depth: number): Part | undefined {
  if (depth > maxDepth) return undefined;
  let all = branch(pattern, from, depth);
  while (all !== undefined && pattern[all.end] === '|') {
    const next = branch(pattern, all.end + 1, depth);
    all = next && joinParts(all, next);
  }
  return all;
}

function branch(pattern: string, from: number, depth: number): Part | undefined {
  const start = { end: pattern[from] === '^' ? from + 1 : from, states: 1, wildcards: 0 };
  let all: Part = start;
  for (let next = piece(pattern, all.end, depth); next !== undefined; next = piece(pattern, all.end, depth))
    all = joinParts(all, next);
  if (pattern[all.end] === '$') return { ...all, end: all.end + 1 };
  return all === start ? undefined : all;
}

function joinParts(one: Part, next: Part): Part {
  return { end: next.end, states: one.states + next.states, wildcards: one.wildcards + next.wildcards };
}

/** Parses an atom or a group with its repetition. */
function piece(pattern: string, from: number, depth: number): Part | undefined {
  const part = pattern[from] === '(' ? group(pattern, from, depth) : atom(pattern, from);
  if (part === undefined) return undefined;
  repetition.lastIndex = part.end;
  const found = repetition.exec(pattern);
  if (found === null) return part;
  const [text, min = '1', , max = min] = found;
  if (Number(max) < Number(min) || Number(min) > 255 || Number(max) > 255) return undefined;
  const times = Math.max(Number(max), 1);
  return { end: part.end + text.length, states: part.states * times, wildcards: part.wildcards * times };
}

function group(pattern: string, from: number, depth: number): Part | undefined {
  if (pattern[from + 1] === '?') return undefined;
  const inside = alternatives(pattern, from + 1, depth + 1);
  return inside && pattern[inside.end] === ')' ? { ...inside, end: inside.end + 1 } : undefined;
}

function atom(pattern: string, from: number): Part | undefined {
  for (const one of [character, escaped, wildcard]) {
    one.lastIndex = from;
    const [text] = one.exec(pattern) ?? [];
    if (text !== undefined && !hasReversedRange(text))
      return { end: from + text.length, states: 1, wildcards: one === wildcard ? 1 : 0 };
  }
  return undefined;
}

function hasReversedRange(set: string): boolean {
  return [...set.matchAll(/(.)-([^\]])/gsu)].some(
    ([, first = '', last = '']) => (first.codePointAt(0) ?? 0) > (last.codePointAt(0) ?? 0),
  );
}

/** Maximum number of characters in the ranges of a case-insensitive pattern. */
const maxRange = 100_000;
const parts = /\\.|\[(\^?)((?:.-.|[^\]])+)\]|\p{L}/gsu;

/** Prints `~` or `~*` for DuckDB. */
export function duckdbMatch(call: Call): Rewritten {
  const { name, args } = call;
  const [value] = args;
  const pattern = patternOf(call);
  if (value === undefined) throw new Error(`${name} takes two arguments`);
  // DuckDB would convert `.` and `.*` to LIKE, which takes exponential time. A group prevents this.
  const regex = `(${name === '~*' ? withBothCases(pattern) : pattern})`;
  const isPlain = name === '~' && !pattern.includes('.');
  const match = boundedMatch("regexp_matches($1, $2, 's')", matchCost(call));
  return { text: match, args: [value, literal(SqlType.text, isPlain ? pattern : regex)] };
}

/** Returns the cost of a call of `~` or `~*` for RE2. */
export function matchCost(call: Call): PatternCost {
  return regexCost(patternOf(call)) ?? { states: 0, wildcards: 0 };
}

function patternOf({ args: [, pattern] }: Call): string {
  return pattern?.kind === 'literal' ? String(pattern.value ?? '') : '';
}

/**
 * Makes a pattern case-insensitive as in Postgres, where a character matches its own upper and lower case. RE2 would
 * fold more characters, such as `ſ` and `s`.
 * @throws SqlProblem if the ranges of the pattern are too large.
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
        if (left < 0) throw new SqlProblem('The character ranges of the ~* pattern are too large');
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

/**
 * Returns the lower and upper case of a character, based on one-to-one mappings only. Like Postgres, ignores title
 * case.
 */
function bothCases(character: string): string[] {
  const cases = [character === 'İ' ? 'i' : character.toLowerCase(), character.toUpperCase()];
  return [...new Set(cases.map(one => ([...one].length === 1 ? one : character)))];
}
