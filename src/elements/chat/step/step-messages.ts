import { createPluralizer, type MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

const pluralize = createPluralizer('en');

/** English messages of the steps of an answer. */
export const stepMessages = {
  /** Collapsed steps. */
  queried: 'Queried the data',
  querying: 'Querying the data…',
  queryFailed: 'The query failed',
  searchedModel: 'Searched the data model',
  searchingModel: 'Searching the data model…',
  changedDashboard: 'Changed the dashboard',
  changingDashboard: 'Changing the dashboard…',
  dashboardFailed: 'The dashboard could not be changed',
  usedTool: (name: string) => `Used ${name}`,
  usingTool: (name: string) => `Using ${name}…`,
  toolFailed: (name: string) => `${name} failed`,
  /** Takes the number instead of formatted text, because languages have up to six plural forms. */
  rowCount: (count: number) => pluralize(count, { one: '# row', other: '# rows' }),
  seconds: (seconds: string) => `${seconds} s`,
  query: 'Query',
  input: 'Input',
  result: 'Result',
  copy: sharedMessages.copy,
  copied: sharedMessages.copied,
} satisfies MessageTree;

/** Messages of the steps of an answer, in one language. */
export type StepMessages = typeof stepMessages;
