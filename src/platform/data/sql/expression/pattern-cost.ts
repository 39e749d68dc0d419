import { SqlProblem } from '../sql-problem.js';
import { raise, ValueProblem } from './value-problem.js';

/** What a pattern may cost RE2 per character of a text. */
export interface PatternCost {
  /** Characters of the pattern with its repetitions written out. */
  readonly states: number;
  /** How many of them match several characters. */
  readonly wildcards: number;
}

/** Max length of a pattern in characters, also with its repetitions written out. */
const maxPatternLength = 1000;
/** Max states of an automaton that RE2 surely keeps in memory; beyond it, a character of text may cost a step for each state. */
const maxAutomatonStates = 16_384;
/** Max steps of a complex pattern per row: DuckDB reacts to an interrupt every 2,048 rows. */
const maxSteps = 50_000;

/** @throws SqlProblem for a pattern that is too long. */
export function checkPatternLength(length: number, at: number | undefined): void {
  if (length > maxPatternLength)
    throw new SqlProblem(
      `A pattern may have ${maxPatternLength} characters at most, with its repetitions written out`,
      at,
    );
}

/** Whether an automaton for the pattern may grow exponentially. */
export function isComplex({ states, wildcards }: PatternCost): boolean {
  return states * 2 ** wildcards > maxAutomatonStates;
}

/** Lets a match in DuckDB's SQL of the text `$1` raise an error if the text is too long for a complex pattern. */
export function boundedMatch(match: string, cost: PatternCost): string {
  if (!isComplex(cost)) return match;
  const maxBytes = Math.floor(maxSteps / cost.states);
  return `CASE WHEN strlen($1) > ${maxBytes} THEN ${raise(ValueProblem.pattern)} ELSE ${match} END`;
}
