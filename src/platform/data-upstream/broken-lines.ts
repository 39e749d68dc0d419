import { errorLine } from '../data/sql-answers/sql-lines.js';
import type { BodySource } from '../data/sql-answers/stream-body.js';
import { UpstreamProblem } from './upstream-problem.js';

const newline = 10;

/**
 * The rest of an answer of lines. Where it breaks off between two of them the last line tells so, as where SQL is answered from here;
 * within a line it breaks off as it is.
 * @param first - what was passed on already.
 */
export function tellInLine(first: Uint8Array, rest: BodySource): BodySource {
  let last = first.at(-1);
  let isOver = false;
  return {
    async next() {
      if (isOver) return null;
      try {
        const piece = await rest.next();
        last = piece?.at(-1) ?? last;
        return piece;
      } catch (error) {
        if (!(error instanceof UpstreamProblem) || last !== newline) throw error;
        isOver = true;
        return errorLine(error);
      }
    },
    close: () => rest.close(),
  };
}
