import { css, html, nothing, type TemplateResult } from 'lit';
import type { Problem } from '../../controllers/problem.js';
import type { Messages, Notice } from '../messages/messages.js';

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
    <p class="title">${title}</p>
    <p class="hint">${hint}</p>
    ${action ? html`<button part="button" type="button" @click=${action.run}>${action.label}</button>` : nothing} ${details}
  </div>`;
}

/** A failure with a retry and its details folded. */
export function problemNotice(problem: Problem, messages: Messages, retry: () => void): TemplateResult {
  return notice(
    messages.problems[problem.kind],
    { label: messages.retry, run: retry },
    problemDetails(problem, messages),
  );
}

/** What a support desk asks for, folded. */
export function problemDetails({ code, status, requestId, message }: Problem, messages: Messages): TemplateResult {
  return html`<details>
    <summary>${messages.details}</summary>
    ${message ? html`<p>${message}</p>` : nothing}
    <p>${messages.code}: ${code}${status === null ? nothing : html` (${status})`}</p>
    ${requestId ? html`<p>${messages.request}: ${requestId}</p>` : nothing}
  </details>`;
}

/** Styles of notices. */
export const noticeStyles = css`
  .notice {
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: safe center;
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: 100%;
    padding: 4px;
    text-align: center;
    text-wrap: balance;
    overflow-wrap: anywhere;
  }
  .notice p {
    max-inline-size: 44ch;
    margin: 0;
  }
  .notice .title {
    font-weight: 600;
  }
  .notice .hint {
    color: var(--_muted);
    font-size: 13px;
  }
  .notice button {
    flex: none;
    margin-block-start: 12px;
  }
  .notice details {
    margin-block-start: 8px;
    color: var(--_muted);
    font-size: 12px;
  }
  .notice summary {
    display: inline-block;
    padding-inline: 4px;
    border-radius: 4px;
    text-decoration: underline;
    text-decoration-color: var(--_control);
    text-underline-offset: 3px;
    cursor: pointer;
    list-style: none;
  }
  .notice summary::-webkit-details-marker {
    display: none;
  }
`;
