import type { ProblemKind } from '../../controllers/problem.js';
import type { MessageTree, Notice } from './message-format.js';
import { sharedMessages } from './shared-messages.js';

/** English messages that the elements of dashboards and reports share. */
export const pageMessages = {
  retry: sharedMessages.retry,
  retryAll: 'Retry all',
  details: sharedMessages.details,
  code: sharedMessages.code,
  request: sharedMessages.request,
  dashboard: 'Dashboard',
  report: 'Report',
  text: 'Text',
  /** Default title of an AI widget. */
  answer: 'Pinned answer',
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
  /** Shown if the controls of the dashboard exclude all rows. */
  emptyChosen: ['No data', 'No rows match the selection above.'],
  /** `names`: titles of the controls that exclude all rows. */
  emptyChosenBy: (names: string) => `No rows match the selection for ${names}.`,
  clearFilters: (count: number): string => (count === 1 ? 'Clear filter' : 'Clear filters'),
  emptyDashboard: ['Nothing here yet', 'This dashboard has no tiles.'],
  unsupportedKind: ['Not supported yet', 'Reports of this kind can’t be shown here yet.'],
  noQuery: ['No query', 'This report has no query. Its author needs to fix it.'],
  missingReport: ['Report not found', 'The report of this tile is not part of the published dashboard.'],
  /** Shown by an AI widget without an answer: first to viewers who may not pin one, second to those who may. */
  noAnswer: ['Nothing here yet', 'The author of this dashboard has not pinned an answer yet.'],
  answerToPin: ['No answer pinned yet', 'Ask the chat a question, and choose “Pin to dashboard” below its answer.'],
  answerDeleted: [
    'The answer was deleted',
    'Its conversation or answer no longer exists. Its author can pin another one.',
  ],
  answerWithoutQuery: ['No data to show', 'The pinned answer has no query. Its author can pin another one.'],
  answerUnavailable: ['This isn’t available', 'The pinned answer uses data that is not available to you.'],
  missingDashboard: [
    'No dashboard with this public id',
    'Check the public id. The dashboard may be unpublished or not shared with you.',
  ],
  sessionEnded: sharedMessages.sessionEnded,
  sessionFailed: sharedMessages.sessionFailed,
  tryAgain: sharedMessages.tryAgain,
  /** Shown if a query is slow, followed by the elapsed time. */
  stillWorking: 'Still working…',
  cancel: sharedMessages.cancel,
  stopped: ['Canceled', 'You canceled this before it finished.'],
  /** Label of the button that opens the menu of a tile. */
  tileMenu: (title: string) => `Menu of ${title}`,
  filtered: 'Filtered',
  filteredHint: (names: string) => `This includes only rows that match ${names}.`,
  firstRows: (count: string) => `First ${count} rows; there may be more`,
  firstRowsHint: (count: string) =>
    `The result is limited to ${count} rows. There may be more, and totals may be incomplete.`,
  /** Shown if the number of all rows is known. */
  firstRowsOf: (count: string, total: string) => `First ${count} of ${total} rows`,
  firstRowsOfHint: (count: string, total: string) =>
    `The result is limited to ${count} of ${total} rows. Totals may be incomplete.`,
  /** Shown if a chart draws only some of its marks. */
  showingOf: (shown: string, total: string) => `Showing ${shown} of ${total}`,
  showingOfHint: (shown: string, total: string) =>
    `${total} marks are too many to distinguish. ${shown} of them are shown, spread across the chart.`,
  /** Shown if the viewer canceled an update and the previous rows stay. */
  stale: 'Not up to date',
  staleHint: 'You canceled the update. These are the previous rows.',
  /** Label of the control bar. */
  controls: 'Controls',
  /** Value of a filter without a condition. */
  allValues: 'All',
  /** Option for the report's own granularity. */
  ownGranularity: 'As in the report',
  /** Shown on a report to which a selection does not apply. */
  ignoresControls: 'Ignores controls',
  /** `reason`: sentences from the service, or `null`. */
  ignoresControlsHint: (names: string, reason: string | null) =>
    `The selection for ${names} does not apply to this report.${reason ? ` Its SQL runs unchanged: ${reason}` : ''}`,
  /** Reasons why a control does not apply to a report. */
  ignoredBecause: {
    grains: 'It is grouped by two granularities of this time dimension.',
    taken: 'It already contains this field.',
    condition: 'This condition can’t be applied to this field.',
  } satisfies Readonly<Record<'grains' | 'taken' | 'condition', string>>,
  hiddenWidgets: (count: number) =>
    count === 1 ? '1 item can’t be shown here yet.' : `${count} items can’t be shown here yet.`,
  /** Title of the banner if all tiles failed, and the text of each tile. */
  allFailed: 'No tile could be loaded',
  notLoaded: 'Not loaded',
  failedTiles: (count: number) => (count === 1 ? '1 tile could not be loaded.' : `${count} tiles could not be loaded.`),
} satisfies MessageTree;

/** Messages that the elements of dashboards and reports share, in one language. */
export type PageMessages = typeof pageMessages;
