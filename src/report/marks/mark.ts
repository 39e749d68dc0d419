import type { Cell } from '../../contract/data.js';

/** What of a drawn report was pointed at: a bar, a point, a cell, a region, a figure. */
export interface Mark {
  /** Values of the dimensions and times that it stands for, by the columns of the report's rows; none for the whole. */
  readonly values: Readonly<Record<string, Cell>>;
  /** Column of the measure that it shows; null where it is not one alone. */
  readonly measure: string | null;
}

/** Somebody pointed at a mark. */
export interface Pick {
  readonly mark: Mark;
  /** `choose`: a click, or Enter on it; `menu`: asked for what can be done with it. */
  readonly intent: 'choose' | 'menu';
  /** Beside what was chosen before (Ctrl, Shift or Cmd held), not in its place. */
  readonly extend: boolean;
  /** Where it stands on the screen, px, so that a menu can open beside it. */
  readonly anchor: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
}

/** Whether two marks stand for the same values. */
export function isSameMark(a: Mark, b: Mark): boolean {
  const keys = Object.keys(a.values);
  return keys.length === Object.keys(b.values).length && keys.every(key => a.values[key] === b.values[key]);
}

/** Most marks that filter other tiles at once. */
export const maxSelectedMarks = 500;

/**
 * Returns the selection after marks were picked: they replace the selection or are added to it (`add`). A single mark that is already
 * selected is deselected if it is the only one or `how` is `add`. Keeps the last `maxSelectedMarks` marks.
 */
export function selectMarks(marks: readonly Mark[], picked: readonly Mark[], how: 'add' | 'replace'): readonly Mark[] {
  const others = marks.filter(other => !picked.some(mark => isSameMark(mark, other)));
  const takesBack = picked.length === 1 && others.length < marks.length;
  if (how === 'add') return takesBack ? others : [...others, ...picked].slice(-maxSelectedMarks);
  return takesBack && others.length === 0 ? [] : picked.slice(-maxSelectedMarks);
}
