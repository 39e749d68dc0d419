import { someOf } from '../rewrite.js';
import { SqlProblem } from '../sql-problem.js';
import type { Expression } from '../tree.js';

/** How many nodes of a tree one place of the text may become beyond its own. */
const maxExtra = 1000;
/** A select is planned each time that it stands somewhere. */
const nodesOfSelect = 100;

/**
 * Lets values stand in several places of the tree though they stand in the text once: what is written within one another that way would
 * grow beyond all bounds.
 * @throws SqlProblem where they are too large for that.
 */
export function repeated(values: readonly Expression[], times: number, at: number | undefined): void {
  const most = maxExtra / Math.max(times, 1);
  let nodes = 0;
  const isTooLarge = values.some(value =>
    someOf(value, ({ kind }) => {
      nodes += kind === 'sub-select' ? nodesOfSelect : 1;
      return nodes - values.length > most;
    }),
  );
  if (isTooLarge)
    throw new SqlProblem('The statement is too complex here: make a column of a sub-select of what is repeated', at);
}
