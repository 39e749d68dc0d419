import { css, html, nothing, type TemplateResult } from 'lit';
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

/** Styles of notices. In a low container (a KPI's tile) the words stand beside the button. */
export const noticeStyles = css`
  .notice {
    display: flex;
    flex-direction: column;
    gap: 8px;
    align-items: center;
    justify-content: safe center;
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: 100%;
    padding: 2px;
    text-align: center;
    overflow-wrap: anywhere;
  }
  .notice p {
    max-inline-size: 44ch;
    margin: 0;
    text-wrap: balance;
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
    margin-block-start: 4px;
  }
  .notice details {
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
  @container (block-size < 130px) {
    .notice {
      flex-direction: row;
      justify-content: space-between;
      text-align: start;
    }
    .notice button {
      margin: 0;
    }
    .notice details {
      display: none;
    }
  }
  @container (block-size < 130px) and (inline-size < 240px) {
    .notice {
      flex-direction: column;
      align-items: start;
      justify-content: safe center;
    }
    .notice .hint {
      display: none;
    }
  }
`;
