import type { TemplateResult } from 'lit';
import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { ChatFeedback, ChatStep, ChatTurn } from '../../controllers/chat/chat-controller.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import type { MarkTarget } from '../parts/mark-target.js';
import type { ControlChange } from './context/control-change.js';
import type { PinContext } from './pin/pin-element.js';
import type { TranscriptMessages } from './transcript/transcript-messages.js';
import type { MarkdownDrawing } from './turn/text-view.js';

/**
 * Custom renderers for tool steps, by tool name. The returned content replaces the body of the step; `null` keeps the
 * default. A renderer is called again whenever the step changes. The step contains what the service sent: treat it as
 * untrusted data.
 */
export type ToolRenderers = Readonly<Record<string, (step: ChatStep) => Node | TemplateResult | null>>;

/** Actions on the result of a step. */
export interface ResultActions {
  /** Opens a result as a report; returns `false` if the host opens it. */
  readonly openReport: (stepId: string, report: ReportSnapshot) => boolean;
  /** Returns an id for the answer of a step that is unique on the page. */
  readonly answerId: (stepId: string) => string;
}

/** Actions on a turn. */
export interface TurnActions extends ResultActions {
  /** Sends the same message again, or resumes a suspended answer. */
  readonly again: (turn: ChatTurn) => void;
  /** Puts the message back into the composer. */
  readonly edit: (turn: ChatTurn) => void;
  /** Stores the feedback on an answer; `null` removes it. Resolves with `false` if that failed. */
  readonly rate: (turn: ChatTurn, feedback: ChatFeedback | null) => Promise<boolean>;
  /** Moves focus from the answer to the composer. */
  readonly leave: () => void;
  /** Returns the change to a dashboard that a step made on this page, or `null`. */
  readonly changeOf: (stepId: string) => ControlChange | null;
  /** Describes the change to a dashboard that a step made on this page; `null` if it made none. */
  readonly describeChange: (stepId: string) => string | null;
  /** Announces text to screen readers. */
  readonly announce: (text: string) => void;
}

/** Values shared by all turns of a chat; a new object re-renders all turns. */
export interface ChatContext {
  readonly locale: string;
  readonly source: SessionSource | null;
  readonly renderers: ToolRenderers;
  /** Heading level of the chat; headings of turns are one level below. */
  readonly level: number;
  /** Origins whose images are shown. */
  readonly imageOrigins: readonly string[];
  /** Whether viewers may not download or copy rows. */
  readonly restricted: boolean;
  /** The target to which answers can be pinned; `null` if the viewer may not pin any. */
  readonly pins: PinContext | null;
  /** The dashboard that marks of answers can filter; `null` if there is none. */
  readonly marks: MarkTarget | null;
  readonly actions: TurnActions;
}

/** Returns `known` if `context` has the same values, so that turns do not render again. */
export function sameContext(known: ChatContext | null, context: ChatContext): ChatContext {
  const keys = Object.keys(context) as (keyof ChatContext)[];
  return known !== null && keys.every(key => known[key] === context[key]) ? known : context;
}

/** `ChatContext` with localized messages and the Markdown renderer. */
export interface TurnContext extends ChatContext {
  readonly messages: TranscriptMessages;
  /** The Markdown renderer; `null` until it is loaded. */
  readonly drawing: MarkdownDrawing | null;
}
