import { measures } from './model.js';

/** A statement that has to mean the same on Postgres and on us; a text where only measures have to be written out. */
export type Case = string | { readonly ours: string; readonly postgres: string };

/** The text that we are given. */
export function oursOf(given: Case): string {
  return typeof given === 'string' ? given : given.ours;
}

const measureCall = /\b(?:MEASURE|SUM|AVG|MIN|MAX|COUNT)\(\s*(?:DISTINCT\s+)?(?:"?\w+"?\.)?"?(\w+)"?\s*\)/gi;

/** The text that Postgres is given: measures written out. */
export function postgresOf(given: Case): string {
  if (typeof given !== 'string') return given.postgres;
  return given.replaceAll(measureCall, (call, name: string) => {
    const written = measures[name];
    return written === undefined ? call : `(${written})`;
  });
}

/** True where the statement as a whole is ordered: ORDER BY outside of parentheses and quotes. */
export function isOrdered(text: string): boolean {
  const bare = text.replaceAll(/--[^\n]*|'(?:[^']|'')*'|"[^"]*"/g, '');
  let outer = bare;
  for (let before = ''; before !== outer; ) {
    before = outer;
    outer = outer.replaceAll(/\([^()]*\)/g, '');
  }
  return /\bORDER\s+BY\b/i.test(outer);
}

/** True where a measure of the model is named. */
export function namesMeasure(text: string): boolean {
  return [...text.matchAll(measureCall)].some(([, name = '']) => name in measures);
}
