import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { QueryEvent } from './data/answers/query-event.js';
import type { EngineLoss } from './data/engines/engine.js';
import type { DataState } from './data/open-data.js';
import type { DeliveryEvent } from './delivery/deliver-run.js';

/** Prometheus metrics of one platform. */
export interface Metrics {
  /** Counts a request to the Data API. */
  onQuery(event: QueryEvent): void;
  /** Counts a changed model that could not be loaded. */
  onReloadFailure(): void;
  /** Counts an engine process that was lost and replaced. */
  onEngineLoss(loss: EngineLoss): void;
  /** Counts a rendering or the result of a delivery of a notification. */
  onDelivery(event: DeliveryEvent): void;
  /**
   * Renders all metrics as text.
   * @param state - the current state; `null` if no model is served.
   * @param deadLetters - number of deliveries that failed permanently; `null` retains the previous number.
   */
  render(state: DataState | null, deadLetters: number | null): Promise<RenderedMetrics>;
}

/** The response body of a scrape. */
export interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

/** Bucket limits in seconds. A cached response takes a tenth of a millisecond, a query up to a minute. */
const buckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/**
 * Creates metrics in a separate registry, so that platforms in one process do not share them. Label values come from
 * fixed sets, except the version of the model, so clients and rows cannot create time series. Does not use the
 * library's default metrics of the process, because the library cannot stop collecting them.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const count = queryCounter(registry);
  const observe = queryTimer(registry);
  const setState = stateGauges(registry);
  const failures = new Counter({
    name: 'pa_model_reload_failures_total',
    help: 'Changes to the semantic model that could not be loaded.',
    registers: [registry],
  });
  const losses = new Counter({
    name: 'pa_engine_losses_total',
    help: 'Engine processes for SQL statements that were replaced, by reason: unresponsive, frozen, exited.',
    labelNames: ['reason'],
    registers: [registry],
  });
  const deliveries = new Counter({
    name: 'pa_notification_deliveries_total',
    help: 'Renderings of notifications and results of their deliveries: rendered, sent, failed (temporarily), dead, skipped.',
    labelNames: ['event'],
    registers: [registry],
  });
  const dead = new Gauge({
    name: 'pa_notification_dead_letters',
    help: 'Deliveries of the last 90 days that failed permanently.',
    registers: [registry],
  });
  return {
    onQuery(event) {
      count(event);
      observe(event);
    },
    onReloadFailure: () => failures.inc(),
    onEngineLoss: reason => losses.inc({ reason }),
    onDelivery: event => deliveries.inc({ event }),
    async render(state, deadLetters) {
      setState(state);
      if (deadLetters !== null) dead.set(deadLetters);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function queryCounter(registry: Registry): (event: QueryEvent) => void {
  const queries = new Counter({
    name: 'pa_queries_total',
    help: 'Requests to the Data API, by outcome and source of their rows.',
    labelNames: ['operation', 'outcome', 'cache'],
    registers: [registry],
  });
  const rows = new Counter({ name: 'pa_query_rows_total', help: 'Returned rows.', registers: [registry] });
  return ({ operation, outcome, cache, rows: answered }) => {
    queries.inc({ operation, outcome, cache: cache ?? 'none' });
    rows.inc(answered);
  };
}

function queryTimer(registry: Registry): (event: QueryEvent) => void {
  const timer = (name: string, help: string) => new Histogram({ name, help, buckets, registers: [registry] });
  const total = timer('pa_query_seconds', 'Total time of a request to the Data API.');
  const queue = timer('pa_query_queue_seconds', 'Time that a request waited in the queue of the engine.');
  const compile = timer('pa_query_compile_seconds', 'Time to read a query and compile its SQL.');
  const engine = timer('pa_query_engine_seconds', 'Time to run a statement in the engine.');
  const serialize = timer('pa_query_serialize_seconds', 'Time to write the rows of a response.');
  return ({ totalMs, queueMs, compileMs, engineMs, serializeMs }) => {
    total.observe(totalMs / 1000);
    // Skips stages that the request did not reach, because zeros would distort the histogram.
    if (queueMs > 0) queue.observe(queueMs / 1000);
    if (compileMs > 0) compile.observe(compileMs / 1000);
    if (engineMs > 0) engine.observe(engineMs / 1000);
    if (serializeMs > 0) serialize.observe(serializeMs / 1000);
  };
}

function stateGauges(registry: Registry): (state: DataState | null) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const running = gauge('pa_queries_running', 'Running statements.');
  const waiting = gauge('pa_queries_waiting', 'Queued statements.');
  const bytes = gauge('pa_cache_bytes', 'Size of the cached results.');
  const entries = gauge('pa_cache_entries', 'Number of cached results.');
  const model = new Gauge({
    name: 'pa_model_info',
    help: 'Version of the served semantic model.',
    labelNames: ['version'],
    registers: [registry],
  });
  return state => {
    running.set(state?.running ?? 0);
    waiting.set(state?.waiting ?? 0);
    bytes.set(state?.cacheBytes ?? 0);
    entries.set(state?.cacheEntries ?? 0);
    model.reset();
    if (state?.modelVersion) model.set({ version: state.modelVersion }, 1);
  };
}
