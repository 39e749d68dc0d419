import { ContextProvider } from '@lit/context';
import { PaAbortError, type PaError } from '../../src/client/errors.js';
import type { PlatformConnection } from '../../src/client/http/connection.js';
import type { AppConfig } from '../../src/contract/app-config.js';
import type { Dashboard, DashboardWidget, ReportSnapshot } from '../../src/contract/dashboards.js';
import type { Row } from '../../src/contract/data.js';
import type { EmbedSessionSettings, EmbedTokenTheme } from '../../src/contract/embed.js';
import type { MetaResponse } from '../../src/contract/meta.js';
import type { Query } from '../../src/contract/query.js';
import type { Column, RowSet } from '../../src/contract/row-set.js';
import {
  type SessionEvent,
  type SessionSource,
  SessionStatus,
  sessionContext,
} from '../../src/controllers/session/session-context.js';

/** A pending query. */
export interface Call {
  readonly query: Query;
  readonly signal: AbortSignal | undefined;
  answer(rowSet: RowSet): void;
  fail(error: unknown): void;
}

/** A pending SQL query. */
export interface SqlCall extends Omit<Call, 'query'> {
  readonly text: string;
}

/** A session without a network; the test supplies dashboards and rows. */
export class FakeSession implements SessionSource {
  status: SessionStatus = SessionStatus.ready;
  error: PaError | null = null;
  identity: string | null = 'someone';
  settings: EmbedSessionSettings | null = null;
  embedTheme: EmbedTokenTheme | null = null;
  /** Model metadata; requests stay pending if not set. */
  model: MetaResponse | null = null;
  /** Number of metadata requests. */
  metaCalls = 0;
  /** Account configuration. */
  config: AppConfig | null = null;
  /** All queries, in order. */
  readonly calls: Call[] = [];
  /** All SQL queries, in order. */
  readonly sqlCalls: SqlCall[] = [];
  /** Answers queries immediately if set. */
  answers: ((query: Query) => RowSet) | null = null;
  dashboards: (publicId: string) => Promise<Dashboard> = () => new Promise(() => {});
  starts = 0;
  readonly #listeners = new Set<(event: SessionEvent) => void>();

  get listeners(): number {
    return this.#listeners.size;
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: SessionEvent): void {
    if (event.type === 'status') this.status = event.status;
    if (event.type === 'identity') this.identity = event.identity;
    for (const listener of [...this.#listeners]) listener(event);
  }

  setStatus(status: SessionStatus): void {
    this.emit({ type: 'status', status });
  }

  async start(): Promise<void> {
    this.starts += 1;
  }

  getDashboard(publicId: string): Promise<Dashboard> {
    return this.dashboards(publicId);
  }

  meta(): Promise<MetaResponse> {
    this.metaCalls += 1;
    return this.model ? Promise.resolve(this.model) : new Promise(() => {});
  }

  appConfig(): Promise<AppConfig | null> {
    return Promise.resolve(this.config);
  }

  load(query: Query, { signal }: { signal?: AbortSignal }): Promise<RowSet> {
    return new Promise((answer, fail) => {
      this.calls.push({ query, signal, answer, fail });
      signal?.addEventListener('abort', () => fail(new PaAbortError()));
      if (this.answers) answer(this.answers(query));
    });
  }

  sql(text: string, { signal }: { signal?: AbortSignal }): Promise<RowSet> {
    return new Promise((answer, fail) => {
      this.sqlCalls.push({ text, signal, answer, fail });
      signal?.addEventListener('abort', () => fail(new PaAbortError()));
    });
  }

  authorize<T>(call: (connection: PlatformConnection) => Promise<T>): Promise<T> {
    return call({ baseUrl: 'https://platform.example', token: 'token-of-the-session' });
  }

  wake(): void {}

  suspend(): void {
    this.setStatus(SessionStatus.suspended);
  }

  async resume(): Promise<void> {
    this.setStatus(SessionStatus.ready);
  }

  end(): void {
    this.status = SessionStatus.ended;
    this.emit({ type: 'identity', identity: null });
    this.setStatus(SessionStatus.ended);
  }

  dispose(): void {}
}

/** Creates an element that provides the session to its descendants. */
export function provide(session: FakeSession): HTMLElement {
  const element = document.createElement('div');
  new ContextProvider(element, { context: sessionContext, initialValue: session });
  return element;
}

/** A count measure, as the Data API describes it. */
export const count: Column = {
  member: 'flights.count',
  kind: 'measure',
  annotation: { title: 'Flights Count', shortTitle: 'Count', type: 'number' },
};

/** The dimension of the count. */
const carrier: Column = {
  member: 'flights.carrier',
  kind: 'dimension',
  annotation: { title: 'Flights Carrier', shortTitle: 'Carrier', type: 'string' },
};

/** Returns a complete row set. */
export function rowSet(columns: readonly Column[], rows: readonly Row[], truncated = false): RowSet {
  return { columns, rows, truncated, lastRefreshTime: null };
}

/** One number. */
export const oneNumber = rowSet([count], [{ 'flights.count': '1234567' }]);

/** Returns `length` rows. */
export function manyRows(length: number, truncated = false): RowSet {
  const rows = Array.from({ length }, (_, index) => ({
    'flights.carrier': `Carrier ${index}`,
    'flights.count': String(index * 1000),
  }));
  return rowSet([carrier, count], rows, truncated);
}

/** Returns a report snapshot with this number. */
export function snapshot(reportId: number, fields: Partial<ReportSnapshot> = {}): ReportSnapshot {
  return {
    id: reportId,
    reportId,
    versionNumber: 1,
    kind: 'kpi',
    name: `Report ${reportId}`,
    meta: { publicId: `report${String(reportId).padStart(6, '0')}`, jsonQuery: { measures: [`flights.m${reportId}`] } },
    ...fields,
  };
}

/** Returns a tile of three by four cells, four per row. */
export function chartWidget(index: number, config: Record<string, unknown> = {}): DashboardWidget {
  return {
    id: `w${index}`,
    type: 'CHART',
    position: { x: (index % 4) * 3, y: Math.floor(index / 4) * 4, w: 3, h: 4 },
    config: { reportId: index, ...config },
  };
}

/** Returns a published dashboard with these widgets and reports. */
export function dashboard(widgets: readonly DashboardWidget[], reportSnapshots: readonly ReportSnapshot[]): Dashboard {
  return {
    allowEmbed: true,
    config: { title: 'Departures', widgets: [...widgets] },
    deploymentId: 1,
    id: 1,
    publicId: 'Dashboard001',
    reportSnapshots: [...reportSnapshots],
    status: 'published',
    versionId: 1,
    versionNumber: 1,
    workbookId: 1,
  };
}
