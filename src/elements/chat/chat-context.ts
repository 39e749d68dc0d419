import type { TemplateResult } from 'lit';
import type { ChatStep, ChatTurn } from '../../controllers/chat/chat-controller.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import type { TranscriptMessages } from './transcript/transcript-messages.js';
import type { MarkdownDrawing } from './turn/text-view.js';

/**
 * How a host draws the steps of tools, by the tool's name. What a function returns stands in the place of the step's own body; null
 * leaves the step as it is. It is called again whenever the step changes, and gets what the service sent: treat it as data.
 */
export type ToolRenderers = Readonly<Record<string, (step: ChatStep) => Node | TemplateResult | null>>;

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
