import type { Cell } from '../../contract/data.js';

/** A part of a drawing that can be picked: a bar, point, cell, region or number. */
export interface Mark {
  /** Values of its dimensions and times, by column of the report's rows; empty for the grand total. */
  readonly values: Readonly<Record<string, Cell>>;
  /** Column of the measure that the mark shows; `null` unless it shows exactly one measure. */
  readonly measure: string | null;
}

/** The pointer or keyboard picked a mark. */
export interface Pick {
  readonly mark: Mark;
  /** `choose`: a click or Enter; `menu`: a request for the context menu. */
  readonly intent: 'choose' | 'menu';
  /** True to extend the selection (Ctrl, Shift or Cmd pressed) instead of replacing it. */
  readonly extend: boolean;
  /** Position on the screen, px, to open a menu next to it. */
  readonly anchor: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
}

/** True if two marks represent the same values. */
export function isSameMark(a: Mark, b: Mark): boolean {
  const keys = Object.keys(a.values);
  return keys.length === Object.keys(b.values).length && keys.every(key => a.values[key] === b.values[key]);
}

/** Maximum number of selected marks that filter other tiles. */
export const maxSelectedMarks = 500;

/**
 * Returns the selection after marks were picked. They replace the selection or are added to it (`add`). A single mark
 * that is already selected is deselected if it is the only one or `how` is `add`. Keeps the last `maxSelectedMarks`
 * marks.
 */
export function selectMarks(marks: readonly Mark[], picked: readonly Mark[], how: 'add' | 'replace'): readonly Mark[] {
  const others = marks.filter(other => !picked.some(mark => isSameMark(mark, other)));
  const takesBack = picked.length === 1 && others.length < marks.length;
  if (how === 'add') return takesBack ? others : [...others, ...picked].slice(-maxSelectedMarks);
  return takesBack && others.length === 0 ? [] : picked.slice(-maxSelectedMarks);
}

const answerPrefix = 'pa-answer:';

/** Identifies an answer of a chat among the tiles whose marks filter a dashboard. */
export function answerSource(id: string): string {
  return `${answerPrefix}${id}`;
}

/** Whether marks belong to an answer of a chat. */
export function isAnswerSource(source: string): boolean {
  return source.startsWith(answerPrefix);
}
