import type { MessageTree, Notice } from '../../messages/message-format.js';

/** English messages of dashboards that are apps. */
export const appMessages = {
  /** The content security policy of the page blocks the frame. `source` is the missing source of `frame-src`. */
  blocked: (source: string): Notice => [
    'This page does not allow apps',
    `Add frame-src ${source} to the content security policy of the page.`,
  ],
  /** The frame does not respond. `origin` is the origin of the page. */
  silent: (origin: string): Notice => [
    'The app does not respond',
    `It could not be loaded, or the platform does not allow pages from ${origin}.`,
  ],
  stopped: {
    rate: ['The app was stopped', 'It sent too many messages.'],
    message: ['The app was stopped', 'It sent an invalid message.'],
    navigation: ['The app was stopped', 'It tried to leave its page.'],
  } satisfies Readonly<Record<string, Notice>>,
  restart: 'Restart',
} satisfies MessageTree;

/** Messages of dashboards that are apps, in one language. */
export type AppMessages = typeof appMessages;
