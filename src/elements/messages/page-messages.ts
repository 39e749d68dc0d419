import type { ProblemKind } from '../../controllers/problem.js';
import type { MessageTree, Notice } from './message-format.js';
import { sharedMessages } from './shared-messages.js';

/** English messages of what the elements of a dashboard or report share. */
export const pageMessages = {
  retry: sharedMessages.retry,
  retryAll: 'Retry all',
  details: sharedMessages.details,
  code: sharedMessages.code,
  request: sharedMessages.request,
  dashboard: 'Dashboard',
  report: 'Report',
  text: 'Text',
  problems: {
    offline: ['You are offline', 'Loading resumes when the connection is back.'],
    unreachable: ['Can’t reach the data', 'Check your connection, then retry.'],
    timeout: ['This is taking too long', 'Retry in a moment.'],
    session: sharedMessages.sessionOver,
    denied: ['You don’t have access to this', 'Ask the owner of this page for access.'],
    missing: ['This isn’t available', 'It may be unpublished or not shared with you.'],
    rejected: ['This report can’t be run', 'Its author needs to fix it.'],
    drawing: ['This report can’t be displayed', 'Its author needs to fix it.'],
    failed: ['Something went wrong', 'Retry in a moment.'],
  } satisfies Readonly<Record<ProblemKind, Notice>>,
  empty: ['No data', 'This report has no rows yet.'],
  emptyFiltered: ['No data', 'No rows match the filters of this report.'],
  /** By the controls of the dashboard. */
  emptyChosen: ['No data', 'No rows match the selection above.'],
  /** Said of the controls that left nothing, by their titles. */
  emptyChosenBy: (names: string) => `No rows match the selection for ${names}.`,
  clearFilters: (count: number): string => (count === 1 ? 'Clear filter' : 'Clear filters'),
  emptyDashboard: ['Nothing here yet', 'This dashboard has no tiles.'],
  unsupportedKind: ['Not supported yet', 'Reports of this kind can’t be shown here yet.'],
  noQuery: ['No query', 'This report has no query. Its author needs to fix it.'],
  missingReport: ['Report not found', 'The report of this tile is not part of the published dashboard.'],
  missingDashboard: [
    'No dashboard with this public id',
    'Check the public id. The dashboard may be unpublished or not shared with you.',
  ],
  sessionEnded: sharedMessages.sessionEnded,
  sessionFailed: sharedMessages.sessionFailed,
  tryAgain: sharedMessages.tryAgain,
  /** Of a query that takes long; how long stands behind it. */
  stillWorking: 'Still working…',
  cancel: sharedMessages.cancel,
  stopped: ['Canceled', 'You canceled this before it finished.'],
  /** Name of the button that opens a tile's menu. */
  tileMenu: (title: string) => `Menu of ${title}`,
  filtered: 'Filtered',
  filteredHint: (names: string) => `This includes only rows that match ${names}.`,
  firstRows: (count: string) => `First ${count} rows; there may be more`,
  firstRowsHint: (count: string) =>
    `The result is limited to ${count} rows. There may be more, and figures may be incomplete.`,
  /** The same where the number of all rows is known. */
  firstRowsOf: (count: string, total: string) => `First ${count} of ${total} rows`,
  firstRowsOfHint: (count: string, total: string) =>
    `The result is limited to ${count} of ${total} rows. Figures may be incomplete.`,
  /** Of a chart that draws some of very many marks. */
  showingOf: (shown: string, total: string) => `Showing ${shown} of ${total}`,
  showingOfHint: (shown: string, total: string) =>
    `${total} marks are too many to distinguish. ${shown} of them are shown, spread across the chart.`,
  /** Of rows whose newer ones were called off. */
  stale: 'Not up to date',
  staleHint: 'You canceled the update. These are the previous rows.',
  /** Name of the bar of controls. */
  controls: 'Controls',
  /** Chosen by a filter that filters nothing. */
  allValues: 'All',
  /** Chosen where no granularity is. */
  ownGranularity: 'As in the report',
  /** Of a report that is not reached by what is chosen. */
  ignoresControls: 'Ignores controls',
  /** `reason`: in the service's words, a sentence or more; null where there is none. */
  ignoresControlsHint: (names: string, reason: string | null) =>
    `The selection for ${names} does not apply to this report.${reason ? ` Its SQL runs unchanged: ${reason}` : ''}`,
  /** Why a report can't follow a control that its query could: its grouping, or the condition. */
  ignoredBecause: {
    grains: 'It is grouped by two granularities of this time dimension.',
    taken: 'It already contains this field.',
    condition: 'This condition can’t be applied to this field.',
  } satisfies Readonly<Record<'grains' | 'taken' | 'condition', string>>,
  hiddenWidgets: (count: number) =>
    count === 1 ? '1 item can’t be shown here yet.' : `${count} items can’t be shown here yet.`,
  /** Title of the banner of a dashboard whose tiles have all failed, and what each of the tiles says then. */
  allFailed: 'No tile could be loaded',
  notLoaded: 'Not loaded',
  failedTiles: (count: number) => (count === 1 ? '1 tile could not be loaded.' : `${count} tiles could not be loaded.`),
} satisfies MessageTree;

/** Messages of what the elements of a dashboard or report share, in one language. */
export type PageMessages = typeof pageMessages;
