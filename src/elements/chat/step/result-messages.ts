import type { MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

/** English messages of the result of a step. */
export const resultMessages = {
  chart: 'Chart',
  table: 'Table',
  showAs: 'Show as',
  resultTitle: 'Result',
  /** Note below a chart whose query covers its first or last period only partially. */
  partialPeriods: 'Incomplete periods are lighter',
  firstRows: (shown: string, total: string) => `First ${shown} of ${total} rows`,
  loadAll: 'Load all rows',
  loading: 'Loading…',
  cancel: sharedMessages.cancel,
  loadFailed: 'The rows could not be loaded.',
  downloadCsv: sharedMessages.downloadCsv,
  downloadPng: 'Download PNG',
  imageFailed: 'The image could not be created.',
  openReport: 'Open as report',
  close: 'Close',
  noRows: 'No rows match.',
  drawingFailed: 'The chart can’t be displayed. Here is the table.',
} satisfies MessageTree;

/** Messages of the result of a step, in one language. */
export type ResultMessages = typeof resultMessages;
