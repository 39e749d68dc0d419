import { register } from 'prom-client';
import { expect, test } from 'vitest';
import type { QueryEvent } from '../../src/platform/data/answers/query-event.js';
import type { DataState } from '../../src/platform/data/open-data.js';
import { createMetrics } from '../../src/platform/metrics.js';

const event: QueryEvent = {
  event: 'query',
  time: '2001-01-01T00:00:00.000Z',
  requestId: 'abc-1',
  operation: 'load',
  status: 200,
  outcome: 'ok',
  cache: 'miss',
  rows: 3,
  queueMs: 0,
  compileMs: 1,
  engineMs: 40,
  serializeMs: 0.5,
  totalMs: 42,
};
const state: DataState = { running: 2, waiting: 5, cacheBytes: 1000, cacheEntries: 3, modelVersion: 'abc' };

const linesOf = async (metrics = createMetrics(), at: DataState | null = state) => {
  const { contentType, text } = await metrics.render(at, 0);
  expect(contentType).toMatch(/^text\/plain/);
  return text.split('\n');
};

test('counts requests by outcome', async () => {
  const metrics = createMetrics();
  metrics.onQuery(event);
  metrics.onQuery(event);
  metrics.onQuery({ ...event, cache: 'hit' });
  metrics.onQuery({ ...event, operation: 'meta', outcome: 'refused', cache: null, rows: 0 });
  const lines = await linesOf(metrics);
  expect(lines).toContain('pa_queries_total{operation="load",outcome="ok",cache="miss"} 2');
  expect(lines).toContain('pa_queries_total{operation="load",outcome="ok",cache="hit"} 1');
  expect(lines).toContain('pa_queries_total{operation="meta",outcome="refused",cache="none"} 1');
  expect(lines).toContain('pa_query_rows_total 9');
});

test('records times in seconds, without stages that a request did not reach', async () => {
  const metrics = createMetrics();
  metrics.onQuery(event);
  metrics.onQuery({ ...event, cache: 'hit', engineMs: 0, totalMs: 0.2 });
  const lines = await linesOf(metrics);
  expect(lines).toContain('pa_query_seconds_count 2');
  expect(lines).toContain('pa_query_seconds_bucket{le="0.00025"} 1');
  expect(lines).toContain('pa_query_engine_seconds_sum 0.04');
  expect(lines).toContain('pa_query_engine_seconds_count 1');
  expect(lines).toContain('pa_query_queue_seconds_count 0');
});

test('renders the current state, without series of a removed model', async () => {
  const metrics = createMetrics();
  expect(await linesOf(metrics)).toEqual(
    expect.arrayContaining([
      'pa_queries_running 2',
      'pa_queries_waiting 5',
      'pa_cache_bytes 1000',
      'pa_cache_entries 3',
      'pa_model_info{version="abc"} 1',
      'pa_model_reload_failures_total 0',
    ]),
  );
  metrics.onEngineLoss('unresponsive');
  metrics.onReloadFailure();
  const next = await linesOf(metrics, { ...state, running: 0, modelVersion: 'def' });
  expect(next).toEqual(
    expect.arrayContaining([
      'pa_queries_running 0',
      'pa_model_info{version="def"} 1',
      'pa_model_reload_failures_total 1',
      'pa_engine_losses_total{reason="unresponsive"} 1',
    ]),
  );
  expect(next.join('\n')).not.toContain('abc');
});

test('includes metrics of the process', async () => {
  const text = (await linesOf(createMetrics(), null)).join('\n');
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds \d/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).not.toContain('pa_model_info{');
});

test('two platforms in one process have separate metrics and do not use the global registry', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.onQuery(event);
  expect((await linesOf(other)).some(line => line.startsWith('pa_queries_total{'))).toBe(false);
  expect(await register.metrics()).toBe('\n');
});

test('only operation, outcome and cache of a request are labels', async () => {
  const metrics = createMetrics();
  metrics.onQuery({ ...event, requestId: 'secret-1' });
  metrics.onQuery({ ...event, requestId: 'secret-2', status: 299, time: 'later' });
  const lines = await linesOf(metrics);
  expect(lines.join('\n')).not.toContain('secret');
  expect(lines.filter(line => line.startsWith('pa_queries_total{'))).toHaveLength(1);
});
