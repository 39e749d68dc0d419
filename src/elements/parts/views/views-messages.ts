import type { MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

/** English messages of the saved views of a dashboard. */
export const viewsMessages = {
  views: 'Views',
  current: (name: string) => `View: ${name}`,
  own: 'My views',
  shared: 'Shared by my team',
  empty: 'Save the current filters under a name to return to them later.',
  byAuthor: (name: string) => `by ${name}`,
  name: 'View name',
  save: 'Save current view',
  rename: (name: string) => `Rename ${name}`,
  renameNow: 'Rename',
  update: (name: string) => `Replace ${name} with the current filters`,
  remove: (name: string) => `Delete ${name}`,
  share: (name: string) => `Share ${name} with my team`,
  unshare: (name: string) => `Stop sharing ${name}`,
  makeDefault: (name: string) => `Set ${name} as my default view`,
  clearDefault: (name: string) => `Remove ${name} as my default view`,
  cancel: sharedMessages.cancel,
  applied: (name: string) => `Showing ${name}`,
  saved: (name: string) => `${name} was saved`,
  updated: (name: string) => `${name} was updated`,
  deleted: (name: string) => `${name} was deleted`,
  undo: 'Undo',
  restored: (name: string) => `${name} was restored`,
  tooMany: 'You have reached the maximum number of saved views. Delete one first.',
  notSaved: 'This could not be saved. Try again in a moment.',
} satisfies MessageTree;

/** Messages of the saved views of a dashboard, in one language. */
export type ViewsMessages = typeof viewsMessages;
