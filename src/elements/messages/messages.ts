import type { ProblemKind } from '../../controllers/problem.js';

/** What happened, and what to do about it. */
export type Notice = readonly [title: string, hint: string];

/** The words of one language. Counts of rows come formatted. */
export interface Messages {
  readonly retry: string;
  readonly retryAll: string;
  readonly details: string;
  readonly code: string;
  readonly request: string;
  readonly dashboard: string;
  readonly report: string;
  readonly text: string;
  readonly problems: Readonly<Record<ProblemKind, Notice>>;
  readonly empty: Notice;
  readonly emptyFiltered: Notice;
  /** By the controls of the dashboard. */
  readonly emptyChosen: Notice;
  /** Said of the controls that left nothing, by their titles. */
  readonly emptyChosenBy: (names: string) => string;
  readonly clearFilters: (count: number) => string;
  readonly emptyDashboard: Notice;
  readonly unsupportedKind: Notice;
  readonly noQuery: Notice;
  readonly missingReport: Notice;
  readonly missingDashboard: Notice;
  readonly sessionEnded: Notice;
  readonly sessionFailed: Notice;
  readonly tryAgain: string;
  /** Of a query that takes long; how long stands behind it. */
  readonly stillWorking: string;
  readonly cancel: string;
  readonly stopped: Notice;
  /** Name of the button that opens a tile's menu. */
  readonly tileMenu: (title: string) => string;
  readonly filtered: string;
  readonly filteredHint: (names: string) => string;
  readonly firstRows: (count: string) => string;
  readonly firstRowsHint: (count: string) => string;
  /** The same where the number of all rows is known. */
  readonly firstRowsOf: (count: string, total: string) => string;
  readonly firstRowsOfHint: (count: string, total: string) => string;
  /** Of a chart that draws some of very many marks. */
  readonly showingOf: (shown: string, total: string) => string;
  readonly showingOfHint: (shown: string, total: string) => string;
  /** Of rows whose newer ones were called off. */
  readonly stale: string;
  readonly staleHint: string;
  /** Name of the bar of controls. */
  readonly controls: string;
  /** Chosen by a filter that filters nothing. */
  readonly allValues: string;
  /** Chosen where no granularity is. */
  readonly ownGranularity: string;
  /** Of a report that is not reached by what is chosen. */
  readonly ignoresControls: string;
  /** `reason`: in the service's words, a sentence or more; null where there is none. */
  readonly ignoresControlsHint: (names: string, reason: string | null) => string;
  /** Why a report can't follow a control that its query could: its grouping, or the condition. */
  readonly ignoredBecause: Readonly<Record<'grains' | 'taken' | 'condition', string>>;
  readonly hiddenWidgets: (count: number) => string;
  /** Title of the banner of a dashboard whose tiles have all failed, and what each of the tiles says then. */
  readonly allFailed: string;
  readonly notLoaded: string;
  readonly failedTiles: (count: number) => string;
}
