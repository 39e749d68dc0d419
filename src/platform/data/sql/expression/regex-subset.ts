import type { PatternCost } from './pattern-cost.js';

// Patterns that mean the same to Postgres and to DuckDB's RE2: characters, `.`, sets of characters, groups, alternatives, repetition,
// `\d`, and `^` and `$` at the two ends. No other classes, no back-references, no look-around, no lazy repetition.

const maxDepth = 20;
const character = /[^\\^$.[\](){}|*+?\p{Cc}]/uy;
const escaped = /\\[\\^$.[\](){}|*+?/-]/uy;
const wildcard = /\.|\\d|\[\^?(?:[^\\^[\]\p{Cc}-](?:-[^\\^[\]\p{Cc}-])?)+-?\]/uy;
const repetition = /[*+?]|\{(\d{1,3})(,(\d{1,3})?)?\}/uy;

/** A part of a pattern: where it ends, and what it costs. */
interface Part extends PatternCost {
  readonly end: number;
}

/** What a regular expression costs; undefined if it is none that both engines understand alike. */
export function regexCost(pattern: string): PatternCost | undefined {
  const all = alternatives(pattern, 0, 0);
  return all?.end === pattern.length ? all : undefined;
}

function alternatives(pattern: string, from: number, depth: number): Part | undefined {
  if (depth > maxDepth) return undefined;
  let all = branch(pattern, from, depth);
  while (all !== undefined && pattern[all.end] === '|') {
    const next = branch(pattern, all.end + 1, depth);
    all = next && joined(all, next);
  }
  return all;
}

function branch(pattern: string, from: number, depth: number): Part | undefined {
  const start = { end: pattern[from] === '^' ? from + 1 : from, states: 1, wildcards: 0 };
  let all: Part = start;
  for (let next = piece(pattern, all.end, depth); next !== undefined; next = piece(pattern, all.end, depth))
    all = joined(all, next);
  if (pattern[all.end] === '$') return { ...all, end: all.end + 1 };
  return all === start ? undefined : all;
}

function joined(one: Part, next: Part): Part {
  return { end: next.end, states: one.states + next.states, wildcards: one.wildcards + next.wildcards };
}

/** Something and how often it is repeated. */
function piece(pattern: string, from: number, depth: number): Part | undefined {
  const part = pattern[from] === '(' ? group(pattern, from, depth) : atom(pattern, from);
  if (part === undefined) return undefined;
  repetition.lastIndex = part.end;
  const found = repetition.exec(pattern);
  if (found === null) return part;
  const [text, least = '1', , most = least] = found;
  if (Number(most) < Number(least) || Number(least) > 255 || Number(most) > 255) return undefined;
  const times = Math.max(Number(most), 1);
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
