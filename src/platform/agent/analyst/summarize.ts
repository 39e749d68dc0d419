import type { JsonObject } from '../../../contract/wire.js';
import type { AgentTile } from '../agent.js';
import { plainText } from './answering/markdown.js';
import { resultOf } from './answering/results.js';
import { lastReading } from './reading/past-turns.js';
import { answered, type Response } from './respond.js';
import { turnOfTile } from './tile-question.js';

/**
 * Describes the numbers of a tile in Markdown. Returns `null` if its query cannot be read as a question, fails, or
 * returns no rows that the caller may see.
 */
export async function describeTile(response: Response, tile: AgentTile): Promise<string | null> {
  const past = turnOfTile(tile, response.turn);
  const reading = past && lastReading([past], response.memory.lexicon);
  if (!reading) return null;
  let text = '';
  let hasRows = false;
  for await (const event of answered(response, reading)) {
    if (event.type === 'tool-result') hasRows ||= isFilled(event.result);
    if (event.type === 'text') text += event.delta;
  }
  return hasRows && text !== '' ? `${plainText(tile.title)}: ${text}` : null;
}

function isFilled(result: JsonObject): boolean {
  const read = resultOf(result);
  return !('error' in read) && read.rows.length > 0;
}
