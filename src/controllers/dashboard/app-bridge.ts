import { serviceUrl } from '../../client/http/address.js';
import type { SessionSource } from '../../client/session/session-status.js';
import {
  type AppContext,
  type AppMessage,
  type AppRequest,
  type AppRows,
  type AppSource,
  type AppStart,
  type AppStopReason,
  appBridgeVersion,
  appFramePath,
} from '../../contract/app-bridge.js';
import type { Dashboard, ReportSnapshot } from '../../contract/dashboards.js';
import type { RowSet } from '../../contract/row-set.js';
import { toProblem } from '../problem.js';

/**
 * Message limit of an app, as a token bucket: its capacity, and its refill per second. The relay in the frame has
 * lower limits, so that a flood ends there.
 */
const maxBurst = 200;
const messagesPerSecond = 40;
/** Maximum number of concurrent loads. */
const maxLoads = 16;
/** Maximum number of cells in one response. */
const maxCells = 500_000;
/** Maximum height that an app can request, px. */
const maxHeight = 5_000;
const minHeight = 80;

const stopReasons: readonly AppStopReason[] = ['rate', 'message', 'navigation'];

/** Options of the bridge to an app. */
export interface AppBridgeOptions {
  readonly dashboard: Dashboard;
  /** Loads the rows of a report of the dashboard with its current filters. */
  readonly load: (snapshot: ReportSnapshot, signal: AbortSignal) => Promise<RowSet>;
  readonly onReady: () => void;
  readonly onHeight: (height: number) => void;
  /** Called once when the app is stopped. */
  readonly onStop: (reason: AppStopReason) => void;
}

/** Returns the URL of the platform's frame for apps. Rejects with PaError if the session has ended. */
export function findFrameUrl(source: SessionSource): Promise<string> {
  return source.authorize(async ({ baseUrl }) => serviceUrl(baseUrl, appFramePath).href);
}

/** Returns the source of the app of a dashboard. */
function sourceOf({ config }: Dashboard): AppSource {
  const { html, files, entry } = config.app ?? {};
  return { html: html ?? '', files: files ?? {}, entry: entry ?? null };
}

/**
 * The page's side of the message channel to an app. The app receives only the rows of the reports of its dashboard. An
 * app that sends too many or invalid messages is stopped.
 */
export class AppBridge {
  readonly #options: AppBridgeOptions;
  readonly #port: MessagePort;
  readonly #life = new AbortController();
  #credit = maxBurst;
  #creditedAt = performance.now();
  #loads = 0;

  /**
   * Starts the app in its frame.
   * @param frame - window of the loaded frame.
   */
  constructor(frame: Window, context: AppContext, options: AppBridgeOptions) {
    this.#options = options;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => this.#handle(data);
    const { dashboard } = options;
    const start: AppStart = {
      version: appBridgeVersion,
      app: sourceOf(dashboard),
      reports: dashboard.reportSnapshots.map(({ reportId, title, name, kind }) => ({
        id: reportId,
        title: title || name || '',
        kind: kind ?? 'vega',
      })),
      context,
    };
    // `*` is required, because the frame has an opaque origin. It is safe, because the message contains the app but no
    // data.
    frame.postMessage(start, '*', [port2]);
  }

  /** Sends a changed context. */
  update(context: AppContext): void {
    this.#send({ type: 'context', context });
  }

  /** Closes the channel and aborts all loads. */
  close(): void {
    this.#life.abort();
    this.#port.close();
  }

  #handle(data: unknown): void {
    const request = readRequest(data);
    const now = performance.now();
    const regained = ((now - this.#creditedAt) / 1_000) * messagesPerSecond;
    this.#credit = Math.min(maxBurst, this.#credit + regained) - 1;
    this.#creditedAt = now;
    if (this.#credit < 0) this.#stop('rate');
    else if (request === null) this.#stop('message');
    else if (request.type === 'load') void this.#load(request.id, request.report);
    else if (request.type === 'resize') this.#options.onHeight(clampHeight(request.height));
    else if (request.type === 'stop') this.#stop(request.reason);
    else this.#options.onReady();
  }

  async #load(id: number, report: number): Promise<void> {
    const { dashboard, load } = this.#options;
    const snapshot = dashboard.reportSnapshots.find(({ reportId }) => reportId === report);
    if (!snapshot)
      return this.#fail(id, 'unknown_report', 'The dashboard has no report with this id. Use an id of pa.reports.');
    if (this.#loads >= maxLoads) return this.#fail(id, 'busy', `Load at most ${maxLoads} reports at the same time.`);
    this.#loads += 1;
    try {
      const rows = toAppRows(await load(snapshot, this.#life.signal));
      const cells = rows.rows.length * rows.columns.length;
      if (cells > maxCells)
        this.#fail(id, 'too_large', `The report has ${cells} cells. An app can load at most ${maxCells}.`);
      else this.#send({ type: 'rows', id, ...rows });
    } catch (error) {
      const { code, message } = toProblem(error);
      this.#fail(id, code, message);
    } finally {
      this.#loads -= 1;
    }
  }

  #fail(id: number, code: string, message: string): void {
    this.#send({ type: 'failed', id, code, message });
  }

  #send(message: AppMessage): void {
    if (!this.#life.signal.aborted) this.#port.postMessage(message);
  }

  #stop(reason: AppStopReason): void {
    if (this.#life.signal.aborted) return;
    this.close();
    this.#options.onStop(reason);
  }
}

function clampHeight(height: number): number {
  return Math.round(Math.min(maxHeight, Math.max(minHeight, height)));
}

function toAppRows({ columns, rows, truncated }: RowSet): AppRows {
  return { columns, rows, truncated };
}

/** Returns a valid request; `null` for anything else. */
function readRequest(data: unknown): AppRequest | null {
  if (typeof data !== 'object' || data === null || !('type' in data)) return null;
  const { type, id, report, height, reason } = data as Readonly<Record<string, unknown>>;
  if (type === 'ready') return { type };
  if (type === 'load' && isWhole(id) && isWhole(report)) return { type, id, report };
  if (type === 'resize' && typeof height === 'number' && Number.isFinite(height)) return { type, height };
  const known = stopReasons.find(each => each === reason);
  return type === 'stop' && known ? { type, reason: known } : null;
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
