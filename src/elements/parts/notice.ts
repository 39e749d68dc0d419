import { html, nothing, type TemplateResult } from 'lit';
import type { Problem } from '../../controllers/problem.js';
import type { Messages, Notice } from '../messages/messages.js';

/** What a failure is told in, whichever element tells it. */
export type ProblemWords = Pick<Messages, 'problems' | 'retry' | 'details' | 'code' | 'request'>;

/** What a notice offers, beside its words. */
export interface NoticeAction {
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
export function problemNotice(problem: Problem, messages: ProblemWords, retry: () => void): TemplateResult {
  return notice(
    messages.problems[problem.kind],
    { label: messages.retry, run: retry },
    problemDetails(problem, messages),
  );
}

/** The same for a request for a whole dashboard: if there is none, the notice says so. */
export function dashboardNotice(problem: Problem, messages: Messages, retry: () => void): TemplateResult {
  const { problems, missingDashboard } = messages;
  return problemNotice(problem, { ...messages, problems: { ...problems, missing: missingDashboard } }, retry);
}

/** What a support desk asks for, folded. */
export function problemDetails(
  { code, status, requestId, message }: Problem,
  messages: Pick<ProblemWords, 'details' | 'code' | 'request'>,
): TemplateResult {
  return html`<details>
    <summary>${messages.details}</summary>
    ${message ? html`<p>${message}</p>` : nothing}
    <p>${messages.code}: ${code}${status === null ? nothing : html` (${status})`}</p>
    ${requestId ? html`<p>${messages.request}: ${requestId}</p>` : nothing}
  </details>`;
}
