import type { AnswerCounts, TranscriptMessages } from './messages.js';

const nouns: Readonly<Record<keyof AnswerCounts, string>> = {
  paragraphs: 'paragraph',
  lists: 'list',
  tables: 'table',
  charts: 'chart',
  codeBlocks: 'code block',
};

/** English. */
export const en: TranscriptMessages = {
  transcript: 'Messages',
  question: 'You said',
  answer: 'Answer',
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
  connecting: 'Connecting…',
  working: 'Working…',
  reconnecting: 'Reconnecting…',
  offline: 'Offline. This goes on once the connection is back.',
  ends: {
    aborted: 'You stopped this answer.',
    failed: 'This answer failed.',
    length: 'This answer was cut off: it reached a limit.',
    suspended: 'This answer was interrupted and can go on.',
    interrupted: 'This answer was cut off: the connection was lost.',
  },
  retry: 'Retry',
  resume: 'Go on',
  answering: 'Answering',
  complete: counts => {
    const parts = Object.entries(nouns).flatMap(([kind, noun]) => {
      const count = counts[kind as keyof AnswerCounts];
      return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
    });
    return parts.length === 0 ? 'Answer complete' : `Answer complete: ${parts.join(', ')}`;
  },
};
