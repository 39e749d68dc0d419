import { measures } from './model.js';

/** A statement that has the same result in Postgres. A string if only its measures must be expanded for Postgres. */
export type Case = string | { readonly ours: string; readonly postgres: string };

/** Returns the statement for this platform. */
export function oursOf(given: Case): string {
  return typeof given === 'string' ? given : given.ours;
}

const measureCall = /\b(?:MEASURE|SUM|AVG|MIN|MAX|COUNT)\(\s*(?:DISTINCT\s+)?(?:"?\w+"?\.)?"?(\w+)"?\s*\)/gi;

/** Returns the statement for Postgres, with expanded measures. */
export function postgresOf(given: Case): string {
  if (typeof given !== 'string') return given.postgres;
  return given.replaceAll(measureCall, (call, name: string) => {
    const written = measures[name];
    return written === undefined ? call : `(${written})`;
  });
}

/** Whether the statement has a top-level ORDER BY. */
export function isOrdered(text: string): boolean {
  const bare = text.replaceAll(/--[^\n]*|'(?:[^']|'')*'|"[^"]*"/g, '');
  let outer = bare;
  for (let before = ''; before !== outer; ) {
    before = outer;
    outer = outer.replaceAll(/\([^()]*\)/g, '');
  }
  return /\bORDER\s+BY\b/i.test(outer);
}

/** Whether a statement uses a measure of the model. */
export function namesMeasure(text: string): boolean {
  return [...text.matchAll(measureCall)].some(([, name = '']) => name in measures);
}
