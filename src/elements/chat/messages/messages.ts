import type { ProblemKind } from '../../../controllers/problem.js';
import type { Notice } from '../../messages/messages.js';

/** Words of the chat itself, in one language. Figures come formatted. */
export interface ChatMessages {
  readonly chat: string;
  readonly open: string;
  readonly close: string;
  readonly threads: string;
  readonly newThread: string;
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
  readonly tooLong: (most: string) => string;
  readonly loading: string;
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
}
