import type { Mark } from '../../report/marks/mark.js';
import type { ReportData } from '../../report/query/report-data.js';
import type { ReportRequest } from '../../report/query/report-request.js';

/** The request of an answer and its rows. */
export interface AnswerRows {
  readonly request: ReportRequest;
  readonly data: ReportData;
}

/** A dashboard whose tiles can be filtered by marks of other elements. */
export interface MarkTarget {
  /** `false` if the dashboard does not allow it. */
  readonly isOn: boolean;
  /** Filters the tiles by marks of an answer; a single mark that is already selected is deselected. */
  choose(source: string, rows: AnswerRows, picked: readonly Mark[], how: 'add' | 'replace'): void;
  /** The selected marks of an answer. */
  marksOf(source: string, rows: AnswerRows): readonly Mark[];
  /** Calls `listener` when selected marks may have changed. Returns a function that unsubscribes it. */
  watch(listener: () => void): () => void;
}

/** A registered symbol, so that all copies of this package on a page share it. */
const key = Symbol.for('pa-embed/mark-target');

type Marked = Element & { [key]?: MarkTarget };

/** Registers the target with which chats filter a dashboard. */
export function setMarkTarget(dashboard: Element, target: MarkTarget): void {
  const marked: Marked = dashboard;
  marked[key] = target;
}

/** Returns the dashboard as a target for marks of answers; `null` if its tiles cannot be filtered. */
export function markTargetOf(dashboard: Element): MarkTarget | null {
  const marked: Marked = dashboard;
  return marked[key] ?? null;
}
