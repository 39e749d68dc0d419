import type { Row } from './data.js';
import type { Column } from './row-set.js';

// Messages between a page and a dashboard of kind APP. A frame of the platform (`platform/http/app-frame/`) relays
// them, and provides the interface `AppInterface` to the app.

/** Path of the frame, relative to the base URL of the platform. The page is static and contains no data. */
export const appFramePath = '/api/v1/embed/app-frame';

/**
 * Version of the messages. Additions do not change it. A frame starts an app only if the page uses the same version.
 */
export const appBridgeVersion = 1;

/** Source of an app: `config.app` of the dashboard. */
export interface AppSource {
  /** HTML of the app's page. */
  readonly html: string;
  /** Content of the other files, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Name of the file that runs as a module when the page is complete; `null` if there is none. */
  readonly entry: string | null;
}

/** A report of the dashboard, as provided to the app. */
export interface AppReport {
  /** `reportId` of the published report. */
  readonly id: number;
  readonly title: string;
  /** `kind` of the report, such as `vega` or `table`. */
  readonly kind: string;
}

/** Language, direction and theme of the page. Colors are computed CSS colors. */
export interface AppContext {
  /** BCP 47 language tag. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  readonly theme: {
    readonly text: string;
    readonly muted: string;
    readonly line: string;
    readonly surface: string;
    readonly series: readonly string[];
    readonly font: string;
  };
  /** Increases when the rows of a report may have changed, because the viewer changed a control. */
  readonly revision: number;
}

/** Rows of a report, with the filters of the dashboard applied. */
export interface AppRows {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Whether rows are missing because of a limit. */
  readonly truncated: boolean;
}

/** First message to the frame. It transfers the port for all further messages. */
export interface AppStart {
  readonly version: typeof appBridgeVersion;
  readonly app: AppSource;
  readonly reports: readonly AppReport[];
  readonly context: AppContext;
}

/**
 * A message from the app or the frame to the page. Values that the app sends are numbers, to limit the size of a
 * message.
 */
export type AppRequest =
  /** Sent by the frame when the app is loaded. */
  | { readonly type: 'ready' }
  /** Requests the rows of a report. The response has the same `id`. */
  | { readonly type: 'load'; readonly id: number; readonly report: number }
  /** Requests a height of the app in px. */
  | { readonly type: 'resize'; readonly height: number }
  /** Sent by the frame when it has removed the app. */
  | { readonly type: 'stop'; readonly reason: AppStopReason };

/** Reason why an app was stopped: too many messages, an invalid message, or an attempt to leave its page. */
export type AppStopReason = 'rate' | 'message' | 'navigation';

/** A message from the page to the app. */
export type AppMessage =
  | ({ readonly type: 'rows'; readonly id: number } & AppRows)
  /** `code` is an error code of the service, or `unknown_report`, `busy` or `too_large`. */
  | { readonly type: 'failed'; readonly id: number; readonly code: string; readonly message: string }
  | { readonly type: 'context'; readonly context: AppContext };

/** The object `pa` that an app uses. */
export interface AppInterface {
  readonly version: typeof appBridgeVersion;
  readonly reports: readonly AppReport[];
  /** The files of the app. */
  readonly files: Readonly<Record<string, string>>;
  /** The current context. */
  readonly context: AppContext;
  /** Loads the rows of a report by its `id`. Rejects with an Error that has a `code`. */
  load(report: number): Promise<AppRows>;
  /** Calls `listener` when the context changes. Returns a function that removes the listener. */
  onChange(listener: (context: AppContext) => void): () => void;
  /** Requests a height of the app in px. */
  resize(height: number): void;
}
