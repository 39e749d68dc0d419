import type { ProblemKind } from '../../controllers/problem.js';
import type { MessageTree, Notice } from '../messages/message-format.js';
import { sharedMessages } from '../messages/shared-messages.js';

/** English messages of the chat element. */
export const chatMessages = {
  chat: 'Chat',
  open: 'Open chat',
  close: 'Close chat',
  threads: 'Earlier chats',
  newThread: 'New chat',
  welcome: ['Ask about your data', 'Answers come with the query behind them.'],
  suggestions: 'Suggestions',
  composer: 'Message',
  placeholder: 'Ask a question',
  /** Keyboard shortcuts of the composer, for assistive technology. */
  keys: 'Enter sends, Shift+Enter starts a new line, Alt+Page Up goes to the newest answer.',
  send: 'Send',
  stop: 'Stop',
  attach: 'Attach images',
  refused: {
    type: name => `${name} is not an image that can be sent.`,
    size: name => `${name} is too large.`,
    count: name => `${name} is one image too many.`,
    unreadable: name => `${name} can’t be read.`,
  } satisfies Readonly<Record<'type' | 'size' | 'count' | 'unreadable', (name: string) => string>>,
  attachFailed: 'Images can’t be attached right now.',
  tooLong: (most: string) => `At most ${most} characters.`,
  loading: 'Loading messages…',
  off: ['Chat is switched off', 'Ask whoever runs this page to switch it on for you.'],
  problems: {
    offline: ['You are offline', 'Try again once the connection is back.'],
    unreachable: ['The chat can’t be reached', 'Check the connection, then try again.'],
    timeout: ['This is taking too long', 'Try again in a moment.'],
    session: sharedMessages.sessionOver,
    denied: ['You don’t have access to this chat', 'Ask whoever runs this page for access.'],
    missing: ['This chat isn’t there', 'It may have been deleted or not be yours, or the page names a wrong agent.'],
    rejected: ['This can’t be sent', 'Change the message, or begin a new chat.'],
    drawing: ['This can’t be drawn', 'Ask for it in another way.'],
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
