import type { QueryEvent } from '../platform/index.js';

/** The fields of a line, in this order: whatever else an event might come to hold stays out of the log. */
const fields: (keyof QueryEvent)[] = [
  'event',
  'time',
  'requestId',
  'operation',
  'status',
  'outcome',
  'cache',
  'rows',
  'queueMs',
  'compileMs',
  'engineMs',
  'serializeMs',
  'totalMs',
];

/** A request to the Data API as one line of JSON. */
export function lineOf(event: QueryEvent): string {
  return JSON.stringify(event, fields);
}
