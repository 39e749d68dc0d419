import type { MessageTree } from '../messages/message-format.js';
import { sharedMessages } from '../messages/shared-messages.js';

/** English messages that the workspace, the editor and editable dashboards share. */
export const creatorMessages = {
  retry: sharedMessages.retry,
  tryAgain: sharedMessages.tryAgain,
  details: sharedMessages.details,
  code: sharedMessages.code,
  request: sharedMessages.request,
  sessionEnded: sharedMessages.sessionEnded,
  sessionFailed: sharedMessages.sessionFailed,
  /** Shown in a session without creator mode. */
  viewOnly: ['You can only view dashboards here', 'To create your own, ask the owner of this page for access.'],
  edit: 'Edit',
  /** Label of the button that returns from the editor to the dashboard. */
  done: 'Back to the dashboard',
  notLoaded: ['This part of the page could not be loaded', 'Check your connection, then retry.'],
} satisfies MessageTree;

/** Messages that the workspace, the editor and editable dashboards share, in one language. */
export type CreatorMessages = typeof creatorMessages;
