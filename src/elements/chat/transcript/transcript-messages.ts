import type { MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

/** Number of blocks in an answer, by kind. */
export interface AnswerCounts {
  readonly paragraphs: number;
  readonly lists: number;
  readonly tables: number;
  readonly charts: number;
  readonly codeBlocks: number;
}

const answerNouns: Readonly<Record<keyof AnswerCounts, string>> = {
  paragraphs: 'paragraph',
  lists: 'list',
  tables: 'table',
  charts: 'chart',
  codeBlocks: 'code block',
};

/** English messages of the transcript of a chat. */
export const transcriptMessages = {
  transcript: 'Messages',
  question: 'You said',
  answer: 'Answer',
  older: 'Show earlier messages',
  latest: 'Jump to latest',
  latestNew: 'New content: jump to latest',
  copy: sharedMessages.copy,
  copied: sharedMessages.copied,
  copyFailed: 'The browser blocked copying',
  edit: 'Edit and resend',
  again: 'Ask again',
  good: 'Good answer',
  bad: 'Bad answer',
  rateFailed: 'The rating could not be saved. Try again.',
  comment: 'Write a comment',
  usage: 'Show usage',
  usageIs: (tokens: string, input: string, output: string, calls: string) =>
    `${tokens} tokens (${input} in, ${output} out), model calls: ${calls}`,
  thinking: 'Reasoning',
  /** The progress line of a running answer. */
  connecting: 'Connecting…',
  working: 'Working…',
  reconnecting: 'Reconnecting…',
  offline: 'Offline. The answer continues when the connection is back.',
  /** Notes below incomplete answers. */
  ends: {
    aborted: 'You stopped this answer.',
    failed: 'This answer failed.',
    length: 'This answer was cut off: it reached a limit.',
    suspended: 'This answer was interrupted. You can resume it.',
    interrupted: 'This answer was cut off: the connection was lost.',
  } satisfies Readonly<Record<'aborted' | 'failed' | 'length' | 'suspended' | 'interrupted', string>>,
  retry: sharedMessages.retry,
  resume: 'Resume',
  /** Announcements for screen readers. */
  answering: 'Answering',
  complete: (counts: AnswerCounts) => {
    const parts = Object.entries(answerNouns).flatMap(([kind, noun]) => {
      const count = counts[kind as keyof AnswerCounts];
      return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
    });
    return parts.length === 0 ? 'Answer complete' : `Answer complete: ${parts.join(', ')}`;
  },
} satisfies MessageTree;

/** Messages of the transcript of a chat, in one language. */
export type TranscriptMessages = typeof transcriptMessages;
