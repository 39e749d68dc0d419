import { expect, test } from 'vitest';
import { lineOf } from '../../src/cli/query-log.js';
import type { QueryEvent } from '../../src/platform/index.js';

const event: QueryEvent = {
  event: 'query',
  time: '2001-01-01T00:00:00.000Z',
  requestId: 'abc-1',
  operation: 'load',
  status: 200,
  outcome: 'ok',
  cache: null,
  rows: 3,
  queueMs: 0,
  compileMs: 1.25,
  engineMs: 4,
  serializeMs: 0.5,
  totalMs: 6,
};

test('a request is one line of JSON with every field of its event', () => {
  expect(lineOf(event)).not.toContain('\n');
  expect(JSON.parse(lineOf(event))).toEqual(event);
});

test('nothing stands in a line that is no field of an event', () => {
  const more = { ...event, sql: 'SELECT secret', token: 'secret', parameters: ['secret'], query: { status: 'secret' } };
  expect(lineOf(more)).toBe(lineOf(event));
});
