import type { ProblemKind } from '../../controllers/problem.js';
import type { MessageTree, Notice } from '../messages/message-format.js';
import { sharedMessages } from '../messages/shared-messages.js';

/** English messages of the chat element. */
export const chatMessages = {
  chat: 'Chat',
  open: 'Open chat',
  close: 'Close chat',
  resize: 'Resize chat',
  threads: 'Earlier chats',
  newThread: 'New chat',
  welcome: ['Ask about your data', 'Each answer shows the query behind it.'],
  suggestions: 'Suggestions',
  composer: 'Message',
  placeholder: 'Ask a question',
  /** Keyboard shortcuts of the composer, for assistive technology. */
  keys: 'Enter sends, Shift+Enter starts a new line, Alt+Page Up goes to the newest answer.',
  send: 'Send',
  stop: 'Stop',
  attach: 'Attach images',
  refused: {
    type: name => `${name} is not a supported image.`,
    size: name => `${name} is too large.`,
    count: name => `Too many images: ${name} was not added.`,
    unreadable: name => `${name} can’t be read.`,
  } satisfies Readonly<Record<'type' | 'size' | 'count' | 'unreadable', (name: string) => string>>,
  attachFailed: 'Images can’t be attached right now.',
  tooLong: (limit: string) => `At most ${limit} characters.`,
  loading: 'Loading messages…',
  off: ['Chat is disabled', 'Ask the owner of this page to enable it for you.'],
  problems: {
    offline: ['You are offline', 'Try again when the connection is back.'],
    unreachable: ['Can’t reach the chat', 'Check your connection, then try again.'],
    timeout: ['This is taking too long', 'Try again in a moment.'],
    session: sharedMessages.sessionOver,
    denied: ['You don’t have access to this chat', 'Ask the owner of this page for access.'],
    missing: [
      'Chat not found',
      'It may have been deleted or belong to another user, or this page may specify the wrong agent.',
    ],
    rejected: ['This message can’t be sent', 'Change the message or start a new chat.'],
    drawing: ['This can’t be displayed', 'Ask in a different way.'],
    failed: ['Something went wrong', 'Try again in a moment.'],
  } satisfies Readonly<Record<ProblemKind, Notice>>,
  retry: sharedMessages.retry,
  tryAgain: sharedMessages.tryAgain,
  details: sharedMessages.details,
  code: sharedMessages.code,
  request: sharedMessages.request,
  sessionEnded: sharedMessages.sessionEnded,
  sessionFailed: sharedMessages.sessionFailed,
  stopFailed: 'The answer could not be stopped. Try again.',
} satisfies MessageTree;

/** Messages of the chat element, in one language. */
export type ChatMessages = typeof chatMessages;
