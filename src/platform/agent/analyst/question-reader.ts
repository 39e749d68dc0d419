import type { JsonObject } from '../../../contract/wire.js';
import { chartOf } from './answering/chart.js';
import { titleOf } from './answering/describe-reading.js';
import { askText, refusalText } from './answering/talk.js';
import type { Outcome } from './reading/outcome.js';
import { queriesOf } from './reading/to-query.js';
import type { Session } from './session.js';

/** Returns the queries of a question and their interpretation, or the unclear parts. Does not run these queries. */
export async function readQuestion(question: string, session: Session): Promise<JsonObject> {
  return described(await session.resolve([], question));
}

function described(outcome: Outcome): JsonObject {
  switch (outcome.kind) {
    case 'reading': {
      const { reading } = outcome;
      const vegaSpec = chartOf(reading);
      return { understood: titleOf(reading, 'en'), queries: queriesOf(reading), ...(vegaSpec ? { vegaSpec } : {}) };
    }
    case 'ask':
      return { unclear: askText(outcome) };
    case 'refuse':
      return { unclear: refusalText(outcome.refusal, []) };
    case 'help':
      return { unclear: 'The text contains no question about the data.' };
  }
}
