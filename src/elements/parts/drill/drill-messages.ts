import { createPluralizer, type MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

const pluralize = createPluralizer('en');

/** English messages of the drill dialog. */
export const drillMessages = {
  /** Heading if neither the measure nor the values have a name. */
  rowsBehind: 'Underlying rows',
  /** Name of the navigation back to earlier steps. */
  path: 'Breadcrumbs',
  close: 'Close',
  loading: 'Loading the rows…',
  empty: ['No rows', 'There are no rows behind this value.'],
  /** Shown if the page cannot open another dashboard to which a link leads. `label` is the label of the link. */
  cannotOpen: (label: string) => [
    'Can’t open the dashboard',
    `This page doesn’t open other dashboards, so “${label}” is not available.`,
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
