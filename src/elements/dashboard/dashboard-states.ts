import { html, type TemplateResult } from 'lit';
import type { Problem } from '../../controllers/problem.js';
import type { PageMessages } from '../messages/page-messages.js';
import { dashboardNotice } from '../parts/notice.js';
import { type SkeletonShape, skeleton } from '../parts/skeleton.js';

const outlines: readonly SkeletonShape[] = ['figure', 'figure', 'figure', 'figure', 'bars', 'bars'];

/** Renders the outline of a dashboard while its configuration loads. */
export function renderOutline(): TemplateResult {
  return html`<div class="reserved"><slot name="loading">
    <div class="delayed" aria-hidden="true">
      <div class="title">${skeleton('lines')}</div>
      <div class="grid outlines">
        ${outlines.map(shape => html`<div class="outline">${skeleton(shape)}</div>`)}
      </div>
    </div>
  </slot></div>`;
}

/** Renders a message shown instead of the dashboard. */
export function renderPanel(content: TemplateResult): TemplateResult {
  return html`<div class="panel">${content}</div>`;
}

/** Renders the message shown if the dashboard cannot be loaded. */
export function renderFailure(problem: Problem, messages: PageMessages, retry: () => void): TemplateResult {
  return html`<slot name="error">${renderPanel(dashboardNotice(problem, messages, retry))}</slot>`;
}
