import type { MessageTree } from '../../messages/message-format.js';

/** English messages of the context of a message. */
export const contextMessages = {
  context: 'The question is about',
  dashboard: 'Dashboard',
  remove: (name: string) => `Remove “${name}”`,
  add: (name: string) => `Ask about “${name}”`,
  askAboutTile: 'Ask about this tile',
  /** Controls that the agent has set. */
  set: (title: string, value: string) => `Set ${title} to ${value}`,
  cleared: (title: string) => `Cleared ${title}`,
  undo: 'Undo',
  undone: 'Undone',
  locked: 'This page does not allow the change.',
} satisfies MessageTree;

/** Messages of the context of a message, in one language. */
export type ContextMessages = typeof contextMessages;
