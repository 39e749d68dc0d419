import type { AnswerCounts, ChatMessages } from './messages.js';

const nouns: Readonly<Record<keyof AnswerCounts, string>> = {
  paragraphs: 'paragraph',
  lists: 'list',
  tables: 'table',
  charts: 'chart',
  codeBlocks: 'code block',
};

/** English. */
export const en: ChatMessages = {
  chat: 'Chat',
  open: 'Open chat',
  close: 'Close chat',
  threads: 'Earlier chats',
  newThread: 'New chat',
  transcript: 'Messages',
  question: 'You said',
  answer: 'Answer',
  welcome: ['Ask about your data', 'Answers come with the query behind them.'],
  suggestions: 'Suggestions',
  composer: 'Message',
  placeholder: 'Ask a question',
  keys: 'Enter sends, Shift+Enter starts a new line, Alt+Page Up goes to the newest answer.',
  send: 'Send',
  stop: 'Stop',
  attach: 'Attach images',
  refused: {
    type: name => `${name} is not an image that can be sent.`,
    size: name => `${name} is too large.`,
    count: name => `${name} is one image too many.`,
    unreadable: name => `${name} can’t be read.`,
  },
  attachFailed: 'Images can’t be attached right now.',
  image: 'Attached image',
  tooLong: most => `At most ${most} characters.`,
  older: 'Show earlier messages',
  latest: 'Jump to latest',
  latestNew: 'New below: jump to latest',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying is not allowed here',
  edit: 'Edit and send again',
  again: 'Ask again',
  good: 'Good answer',
  bad: 'Bad answer',
  usage: 'Show usage',
  usageIs: (tokens, input, output, calls) =>
    `${tokens} tokens (${input} in, ${output} out), calls of the model: ${calls}`,
  thinking: 'Reasoning',
  step: 'Step',
  connecting: 'Connecting…',
  working: 'Working…',
  reconnecting: 'Reconnecting…',
  offline: 'Offline. This goes on once the connection is back.',
  loading: 'Loading messages…',
  ends: {
    aborted: 'You stopped this answer.',
    failed: 'This answer failed.',
    length: 'This answer was cut off: it reached a limit.',
    suspended: 'This answer was interrupted and can go on.',
    interrupted: 'This answer was cut off: the connection was lost.',
  },
  resume: 'Go on',
  off: ['Chat is switched off', 'Ask whoever runs this page to switch it on for you.'],
  problems: {
    offline: ['You are offline', 'Try again once the connection is back.'],
    unreachable: ['The chat can’t be reached', 'Check the connection, then try again.'],
    timeout: ['This is taking too long', 'Try again in a moment.'],
    session: ['The session is over', 'Reload the page or sign in again.'],
    denied: ['You don’t have access to this chat', 'Ask whoever runs this page for access.'],
    missing: ['This chat isn’t there', 'It may have been deleted, or isn’t yours.'],
    rejected: ['This can’t be sent', 'Change the message, or begin a new chat.'],
    drawing: ['This can’t be drawn', 'Ask for it in another way.'],
    failed: ['Something went wrong', 'Try again in a moment.'],
  },
  retry: 'Retry',
  tryAgain: 'Try again',
  details: 'Details',
  code: 'Code',
  request: 'Request',
  sessionEnded: ['Your session has ended', 'Reload the page or sign in again to go on.'],
  sessionFailed: ['The session could not be started', 'Try again; if it goes on, tell whoever runs this page.'],
  stopFailed: 'The answer could not be stopped. Try again.',
  answering: 'Answering',
  complete: counts => {
    const parts = Object.entries(nouns).flatMap(([kind, noun]) => {
      const count = counts[kind as keyof AnswerCounts];
      return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
    });
    return parts.length === 0 ? 'Answer complete' : `Answer complete: ${parts.join(', ')}`;
  },
};
