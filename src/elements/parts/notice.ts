import { html, nothing, type TemplateResult } from 'lit';
import { type Problem, toProblem } from '../../controllers/problem.js';
import { type SessionSource, SessionStatus } from '../../controllers/session/session-context.js';
import type { Notice } from '../messages/message-format.js';
import type { PageMessages } from '../messages/page-messages.js';

/** What a failure is told in, whichever element tells it. */
type ProblemMessages = Pick<PageMessages, 'problems' | 'retry' | 'details' | 'code' | 'request'>;

/** What a notice offers, beside its words. */
interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

/** One calm message in the place of content: what happened, what to do, and a button where there is something to do. */
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

/** A failure with a retry and its details folded. */
export function problemNotice(problem: Problem, messages: ProblemMessages, retry: () => void): TemplateResult {
  return notice(
    messages.problems[problem.kind],
    { label: messages.retry, run: retry },
    problemDetails(problem, messages),
  );
}

/** The same for a request for a whole dashboard: if there is none, the notice says so. */
export function dashboardNotice(problem: Problem, messages: PageMessages, retry: () => void): TemplateResult {
  const { problems, missingDashboard } = messages;
  return problemNotice(problem, { ...messages, problems: { ...problems, missing: missingDashboard } }, retry);
}

/** What a support desk asks for, folded. */
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

/** What the end of a session is told in. */
type SessionMessages = Pick<
  PageMessages,
  'sessionEnded' | 'sessionFailed' | 'tryAgain' | 'details' | 'code' | 'request'
>;

/** Says that the session is over or never began, and offers to try again; null while there is nothing to say. */
export function sessionNotice(source: SessionSource | null, messages: SessionMessages): TemplateResult | null {
  if (source?.status !== SessionStatus.expired && source?.status !== SessionStatus.failed) return null;
  const words = source.status === SessionStatus.expired ? messages.sessionEnded : messages.sessionFailed;
  const action = { label: messages.tryAgain, run: () => void source.start() };
  return notice(words, action, source.error ? problemDetails(toProblem(source.error), messages) : undefined);
}

/** Whether nothing may show: the session was ended, or waits for its identity to be confirmed. */
export function isSessionBlank(source: SessionSource | null): boolean {
  return source?.status === SessionStatus.ended || source?.status === SessionStatus.suspended;
}
