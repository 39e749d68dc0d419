import { countedIn } from '../../../messages/counted.js';
import type { DrillMessages } from './messages.js';

const counted = countedIn('en');

/** English. */
export const en: DrillMessages = {
  rowsBehind: 'Rows behind the figure',
  path: 'Way back',
  close: 'Close',
  loading: 'Loading the rows…',
  empty: ['No rows', 'Nothing stands behind this.'],
  cannotOpen: label => ['Not opened', `This page doesn’t open other dashboards, so “${label}” leads nowhere here.`],
  downloadCsv: 'Download CSV',
  copy: 'Copy rows',
  copied: 'Rows copied',
  copyFailed: 'The browser did not allow the copy.',
  rowCount: count => counted(count, { one: '# row', other: '# rows' }),
  firstRows: count => `First ${count} rows. There may be more.`,
};
