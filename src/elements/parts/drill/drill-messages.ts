import { createPluralizer, type MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

const pluralize = createPluralizer('en');

/** English messages of the drill dialog. */
export const drillMessages = {
  /** Heading where neither measure nor values have a name. */
  rowsBehind: 'Rows behind the figure',
  /** Name of the path that leads back. */
  path: 'Way back',
  close: 'Close',
  loading: 'Loading the rows…',
  empty: ['No rows', 'Nothing stands behind this.'],
  /** Of a dashboard that this page has no way to open, by the link's label. */
  cannotOpen: (label: string) => [
    'Not opened',
    `This page doesn’t open other dashboards, so “${label}” leads nowhere here.`,
  ],
  downloadCsv: sharedMessages.downloadCsv,
  copy: sharedMessages.copyRows,
  copied: sharedMessages.rowsCopied,
  copyFailed: sharedMessages.copyFailed,
  rowCount: (count: number) => pluralize(count, { one: '# row', other: '# rows' }),
  firstRows: (count: string) => `First ${count} rows. There may be more.`,
} satisfies MessageTree;

/** Messages of the drill dialog, in one language. */
export type DrillMessages = typeof drillMessages;
