import type { Mark } from '../../../report/mark.js';
import type { ReportRequest } from '../../../report/query.js';

/** Marks of a tile that filter the others. */
export interface ChosenMarks {
  readonly marks: readonly Mark[];
  /** What the columns that they speak of stood for when they were chosen (`columnsOf`). */
  readonly columns: string;
}

const noMarks: readonly Mark[] = [];
export const noneChosen: ChosenMarks = { marks: noMarks, columns: '' };

/** What the columns of rows stand for, as one text to compare. */
export function columnsOf(request: ReportRequest | null): string {
  return JSON.stringify(request?.kind === 'load' ? request.columns : null);
}

/** Those of the marks that rows of this request can show: after the grain was switched, the first of a month would be the first day of it. */
export function marksOn(request: ReportRequest | null, { marks, columns }: ChosenMarks): readonly Mark[] {
  return marks.length === 0 || columnsOf(request) !== columns ? noMarks : marks;
}
