import type { ChatTurn } from '../../../controllers/chat/chat-controller.js';
import type { AnswerCounts, TranscriptMessages } from './transcript-messages.js';

/** Maximum length of the announced first sentence, in characters. */
const maxSentenceLength = 200;
/** Number of characters searched for the first sentence. */
const searchLength = 1_000;

/**
 * Announces an answer to screen readers: that it started, its first sentence, a lost connection, and a summary at its
 * end, but not each update.
 */
export class Announcer {
  readonly #say: (text: string) => void;
  #turn: string | null = null;
  #hasBegun = false;
  #isOffline = false;
  /** Id of the last turn whose end was announced. */
  #ended: string | null = null;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  /** Announces changes of the last turn. */
  follow(turn: ChatTurn | undefined, options: FollowOptions): void {
    const { isLive, isOffline, messages, count, describeChange } = options;
    if (isLive && turn?.end === null && turn.id !== this.#turn) {
      this.#turn = turn.id;
      this.#hasBegun = false;
      this.#isOffline = false;
      this.#say(messages.answering);
    }
    this.#followLate(turn, options);
    if (this.#turn === null || turn?.id !== this.#turn) {
      if (!isLive) this.#turn = null;
      return;
    }
    const sentence = this.#hasBegun
      ? ''
      : firstSentence(answerOf(turn) || changesOf(turn, describeChange), { isWhole: !isLive });
    if (sentence) this.#hasBegun = true;
    if (isLive) {
      if (sentence) this.#say(sentence);
      this.#followConnection({ isOffline, messages });
      return;
    }
    this.#turn = null;
    this.#ended = turn.id;
    const { end } = turn;
    // Without `end`, the connection was lost and the answer is incomplete.
    const ending = end === 'stop' ? messages.complete(count(turn)) : messages.ends[end ?? 'interrupted'];
    const isCut = sentence !== '' && end !== 'stop' && !/[.!?…。！？]$/.test(sentence);
    this.#say(`${sentence}${isCut ? '…' : ''} ${ending}`.trim());
  }

  /** Prepares to announce an answer that ended before the code of the transcript was loaded. */
  #followLate(turn: ChatTurn | undefined, { isLive, isAsked }: FollowOptions): void {
    if (isLive || !isAsked || this.#turn !== null || !turn?.end || turn.id === this.#ended) return;
    this.#turn = turn.id;
    this.#hasBegun = false;
  }

  #followConnection({ isOffline, messages }: Pick<FollowOptions, 'isOffline' | 'messages'>): void {
    if (isOffline && !this.#isOffline) this.#say(messages.offline);
    this.#isOffline = isOffline;
  }
}

interface FollowOptions {
  readonly isLive: boolean;
  /** Whether the viewer sent the message of the last turn on this page. */
  readonly isAsked: boolean;
  /** Whether several reconnection attempts have failed. */
  readonly isOffline: boolean;
  readonly messages: TranscriptMessages;
  /** Called once the turn has ended. */
  readonly count: (turn: ChatTurn) => AnswerCounts;
  /** Describes the change to a dashboard that a step made; `null` if it made none. */
  readonly describeChange: (stepId: string) => string | null;
}

/** Returns the first sentence of a Markdown text, without syntax; empty until the sentence is complete. */
export function firstSentence(markdown: string, { isWhole }: { readonly isWhole: boolean }): string {
  const text = markdown
    .slice(0, searchLength)
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])|[*_`#>|~]/g, '$1')
    .trimStart();
  const sentence = /^.*?[.!?。！？](?=\s)|^.+(?=\n)/.exec(text)?.[0] ?? (isWhole ? text : '');
  const said = sentence || (text.length > maxSentenceLength ? text : '');
  return said.trim().slice(0, maxSentenceLength);
}

/** Counts the rendered blocks of an answer and the results of its steps. */
export function countAnswer(turn: ChatTurn, drawn: ParentNode | null): AnswerCounts {
  const blocks = (selector: string): number => drawn?.querySelectorAll(`.text > ${selector}`).length ?? 0;
  const results = turn.parts.map(part => (part.type === 'step' ? part.result : null)).filter(isObject);
  const charts = results.filter(result => Boolean(result.vegaSpec)).length;
  const tables = results.filter(result => !result.vegaSpec && Array.isArray(result.data)).length;
  return {
    paragraphs: blocks('p'),
    lists: blocks(':is(ul, ol)'),
    tables: blocks('.wide') + tables,
    charts,
    codeBlocks: blocks('.code'),
  };
}

function answerOf({ parts }: ChatTurn): string {
  const texts = parts.filter(part => part.type === 'text');
  return (texts.find(text => text.isFinal) ?? texts.at(-1))?.content ?? '';
}

/** Describes the changes that an answer made to a dashboard, because the agent adds no text about them. */
function changesOf({ parts }: ChatTurn, describeChange: FollowOptions['describeChange']): string {
  return parts.flatMap(({ type, id }) => (type === 'step' ? (describeChange(id) ?? []) : [])).join(', ');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
