import { html, nothing, type TemplateResult } from 'lit';
import { type Problem, toProblem } from '../../controllers/problem.js';
import { type SessionSource, SessionStatus } from '../../controllers/session/session-context.js';
import type { Notice } from '../messages/message-format.js';
import type { PageMessages } from '../messages/page-messages.js';

/** Messages for failures, shared by all elements. */
type ProblemMessages = Pick<PageMessages, 'problems' | 'retry' | 'details' | 'code' | 'request'>;

/** The button of a notice. */
interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

/** Renders the message shown instead of the content: what happened, what to do, and an optional button. */
export function notice(
  [title, hint]: Notice,
  action: NoticeAction | null = null,
  details: unknown = nothing,
): TemplateResult {
  return html`<div class="notice" part="notice">
    <div class="words">
      <p class="title">${title}</p>
      <p class="hint">${hint}</p>
    </div>
    ${action ? html`<button part="button" type="button" @click=${action.run}>${action.label}</button>` : nothing} ${details}
  </div>`;
}

/** Renders a failure with a retry button and collapsed details. */
export function problemNotice(problem: Problem, messages: ProblemMessages, retry: () => void): TemplateResult {
  return notice(
    messages.problems[problem.kind],
    { label: messages.retry, run: retry },
    problemDetails(problem, messages),
  );
}

/** Like `problemNotice`, for the request of a whole dashboard; has its own message if the dashboard does not exist. */
export function dashboardNotice(problem: Problem, messages: PageMessages, retry: () => void): TemplateResult {
  const { problems, missingDashboard } = messages;
  return problemNotice(problem, { ...messages, problems: { ...problems, missing: missingDashboard } }, retry);
}

/** Renders the collapsed details for support requests. */
export function problemDetails(
  { code, status, requestId, message }: Problem,
  messages: Pick<ProblemMessages, 'details' | 'code' | 'request'>,
): TemplateResult {
  return html`<details>
    <summary>${messages.details}</summary>
    ${message ? html`<p>${message}</p>` : nothing}
    <p>${messages.code}: ${code}${status === null ? nothing : html` (${status})`}</p>
    ${requestId ? html`<p>${messages.request}: ${requestId}</p>` : nothing}
  </details>`;
}

/** Messages about the end of a session. */
type SessionMessages = Pick<
  PageMessages,
  'sessionEnded' | 'sessionFailed' | 'tryAgain' | 'details' | 'code' | 'request'
>;

/** Renders the message if the session has expired or could not be started, with a retry button; otherwise `null`. */
export function sessionNotice(source: SessionSource | null, messages: SessionMessages): TemplateResult | null {
  if (source?.status !== SessionStatus.expired && source?.status !== SessionStatus.failed) return null;
  const message = source.status === SessionStatus.expired ? messages.sessionEnded : messages.sessionFailed;
  const action = { label: messages.tryAgain, run: () => void source.start() };
  return notice(message, action, source.error ? problemDetails(toProblem(source.error), messages) : undefined);
}

/** Whether the content must be hidden because the session was ended or its identity is not confirmed. */
export function isSessionBlank(source: SessionSource | null): boolean {
  return source?.status === SessionStatus.ended || source?.status === SessionStatus.suspended;
}
