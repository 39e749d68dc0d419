import type { ProblemKind } from '../../../controllers/problem.js';
import type { Notice } from '../../messages/messages.js';

/** Blocks of an answer that are counted, by kind. */
export interface AnswerCounts {
  readonly paragraphs: number;
  readonly lists: number;
  readonly tables: number;
  readonly charts: number;
  readonly codeBlocks: number;
}

/** Words of the chat itself, in one language. Figures come formatted. */
export interface ChatMessages {
  readonly chat: string;
  readonly open: string;
  readonly close: string;
  readonly threads: string;
  readonly newThread: string;
  readonly transcript: string;
  readonly question: string;
  readonly answer: string;
  readonly welcome: Notice;
  readonly suggestions: string;
  readonly composer: string;
  readonly placeholder: string;
  /** Keys of the composer, for assistive technology. */
  readonly keys: string;
  readonly send: string;
  readonly stop: string;
  readonly attach: string;
  readonly refused: Readonly<Record<'type' | 'size' | 'count' | 'unreadable', (name: string) => string>>;
  readonly attachFailed: string;
  readonly image: string;
  readonly tooLong: (most: string) => string;
  readonly older: string;
  readonly latest: string;
  readonly latestNew: string;
  readonly copy: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly edit: string;
  readonly again: string;
  readonly good: string;
  readonly bad: string;
  readonly usage: string;
  readonly usageIs: (tokens: string, input: string, output: string, calls: string) => string;
  readonly thinking: string;
  readonly step: string;
  /** The line of an answer that is on its way. */
  readonly connecting: string;
  readonly working: string;
  readonly reconnecting: string;
  readonly offline: string;
  readonly loading: string;
  /** How an answer ended, unless it is whole. */
  readonly ends: Readonly<Record<'aborted' | 'failed' | 'length' | 'suspended' | 'interrupted', string>>;
  readonly resume: string;
  readonly off: Notice;
  readonly problems: Readonly<Record<ProblemKind, Notice>>;
  readonly retry: string;
  readonly tryAgain: string;
  readonly details: string;
  readonly code: string;
  readonly request: string;
  readonly sessionEnded: Notice;
  readonly sessionFailed: Notice;
  readonly stopFailed: string;
  /** What is told to screen readers while an answer comes. */
  readonly answering: string;
  readonly complete: (counts: AnswerCounts) => string;
}
