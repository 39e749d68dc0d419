import type { ChatTurn } from '../../../controllers/chat-controller.js';
import type { SessionSource } from '../../../controllers/session-context.js';
import type { ToolRenderers } from '../tool-renderers.js';
import type { TranscriptMessages } from '../transcript/messages/messages.js';
import type { MarkdownDrawing } from './text-view.js';

/** What a user does with a turn. */
export interface TurnActions {
  /** Asks the same again, or goes on with an answer that was suspended. */
  readonly again: (turn: ChatTurn) => void;
  /** Takes the words back into the composer. */
  readonly edit: (turn: ChatTurn) => void;
  readonly rate: (turn: ChatTurn, rating: 'up' | 'down' | null) => void;
  /** Leaves the answer for the composer. */
  readonly leave: () => void;
  /** Has a screen reader say something. */
  readonly tell: (text: string) => void;
}

/** What all turns of a chat have in common; another object has all of them drawn again. */
export interface ChatContext {
  readonly locale: string;
  readonly source: SessionSource | null;
  readonly renderers: ToolRenderers;
  /** Level of the first headings in an answer. */
  readonly level: number;
  /** Origins whose images are shown. */
  readonly imageOrigins: readonly string[];
  /** No row may leave the page by a download or a copy. */
  readonly restricted: boolean;
  readonly actions: TurnActions;
}

/** The same, in words, and with what draws an answer. */
export interface TurnContext extends ChatContext {
  readonly messages: TranscriptMessages;
  /** Null until it is loaded. */
  readonly drawing: MarkdownDrawing | null;
}
