/** Blocks of an answer that are counted, by kind. */
export interface AnswerCounts {
  readonly paragraphs: number;
  readonly lists: number;
  readonly tables: number;
  readonly charts: number;
  readonly codeBlocks: number;
}

/** Words of the messages of a chat, in one language. Figures come formatted. */
export interface TranscriptMessages {
  readonly transcript: string;
  readonly question: string;
  readonly answer: string;
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
  /** The line of an answer that is on its way. */
  readonly connecting: string;
  readonly working: string;
  readonly reconnecting: string;
  readonly offline: string;
  /** How an answer ended, unless it is whole. */
  readonly ends: Readonly<Record<'aborted' | 'failed' | 'length' | 'suspended' | 'interrupted', string>>;
  readonly retry: string;
  readonly resume: string;
  /** What is told to screen readers while an answer comes. */
  readonly answering: string;
  readonly complete: (counts: AnswerCounts) => string;
}
