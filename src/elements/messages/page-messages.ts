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
    offline: ['You are offline', 'This loads again once the connection is back.'],
    unreachable: ['The data can’t be reached', 'Check the connection, then retry.'],
    timeout: ['This is taking too long', 'Retry in a moment.'],
    session: sharedMessages.sessionOver,
    denied: ['You don’t have access to this', 'Ask whoever runs this page for access.'],
    missing: ['This isn’t available', 'It may be unpublished, or not shared with you.'],
    rejected: ['This report can’t be run', 'Whoever made it has to change it.'],
    drawing: ['This report can’t be drawn', 'Whoever made it has to change it.'],
    failed: ['Something went wrong', 'Retry in a moment.'],
  } satisfies Readonly<Record<ProblemKind, Notice>>,
  empty: ['No data', 'There is nothing in this report yet.'],
  emptyFiltered: ['No data', 'Nothing matches the filters of this report.'],
  /** By the controls of the dashboard. */
  emptyChosen: ['No data', 'Nothing matches what is chosen above.'],
  /** Said of the controls that left nothing, by their titles. */
  emptyChosenBy: (names: string) => `Nothing matches what is chosen for ${names}.`,
  clearFilters: (count: number): string => (count === 1 ? 'Clear the filter' : 'Clear these filters'),
  emptyDashboard: ['Nothing here yet', 'This dashboard has no tiles.'],
  unsupportedKind: ['Not supported yet', 'Reports of this kind can’t be shown here yet.'],
  noQuery: ['No query', 'This report asks for nothing. Whoever made it has to change it.'],
  missingReport: ['No report', 'This tile’s report is not part of the published dashboard.'],
  missingDashboard: [
    'No dashboard with this public id',
    'Check the public id. The dashboard may be unpublished, or not shared with you.',
  ],
  sessionEnded: sharedMessages.sessionEnded,
  sessionFailed: sharedMessages.sessionFailed,
  tryAgain: sharedMessages.tryAgain,
  /** Of a query that takes long; how long stands behind it. */
  stillWorking: 'Still working…',
  cancel: sharedMessages.cancel,
  stopped: ['Stopped', 'You called this off before it was done.'],
  /** Name of the button that opens a tile's menu. */
  tileMenu: (title: string) => `Menu of ${title}`,
  filtered: 'Filtered',
  filteredHint: (names: string) => `Only what matches ${names} is counted here.`,
  firstRows: (count: string) => `First ${count} rows; there may be more`,
  firstRowsHint: (count: string) =>
    `The answer was cut at ${count} rows. There may be more, and figures may be incomplete.`,
  /** The same where the number of all rows is known. */
  firstRowsOf: (count: string, total: string) => `First ${count} of ${total} rows`,
  firstRowsOfHint: (count: string, total: string) =>
    `The answer was cut at ${count} of ${total} rows. Figures may be incomplete.`,
  /** Of a chart that draws some of very many marks. */
  showingOf: (shown: string, total: string) => `Showing ${shown} of ${total}`,
  showingOfHint: (shown: string, total: string) =>
    `${total} marks are too many to tell apart: ${shown} of them are drawn, spread over the whole chart.`,
  /** Of rows whose newer ones were called off. */
  stale: 'Not up to date',
  staleHint: 'You called off the newer rows. What you see is from before.',
  /** Name of the bar of controls. */
  controls: 'Controls',
  /** Chosen by a filter that filters nothing. */
  allValues: 'All',
  /** Chosen where no granularity is. */
  ownGranularity: 'As in each report',
  /** Of a report that is not reached by what is chosen. */
  ignoresControls: 'Ignores controls',
  /** `reason`: in the service's words, a sentence or more; null where there is none. */
  ignoresControlsHint: (names: string, reason: string | null) =>
    `What is chosen by ${names} does not reach this report.${reason ? ` It runs as its SQL stands: ${reason}` : ''}`,
  /** Why a report can't follow a control that its query could: its grouping, or the condition. */
  ignoredBecause: {
    grains: 'Its rows are grouped by two granularities of that time.',
    taken: 'It has that field already.',
    condition: 'That condition can’t be asked of that field.',
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
