import { html, nothing, type TemplateResult } from 'lit';
import type { DashboardConfig } from '../../../contract/dashboards.js';
import type { WorkbookController } from '../../../controllers/creator/workbook-controller.js';
import type { WorkbookMessages } from '../workbook-messages.js';

/** Renders whether the draft is saved. */
export function renderSaveState(workbook: WorkbookController, messages: WorkbookMessages): TemplateResult {
  const { saveState } = workbook;
  if (saveState.status === 'conflict') return html`<span class="state warn">${messages.conflict}</span>`;
  if (saveState.status === 'failed') {
    const [title] = messages.failed[saveState.problem.kind];
    return html`<span class="state danger" role="alert"
      >${messages.notSaved}: ${title}
      <button type="button" @click=${() => workbook.flush()}>${messages.retry}</button></span
    >`;
  }
  const isOffline = saveState.status === 'offline';
  return html`<span class=${isOffline ? 'state warn' : 'state'} role="status">${messages[saveState.status]}</span>`;
}

/**
 * Renders the dialog that resolves a conflict with a draft that was saved elsewhere. The browser focuses the first
 * button, which keeps both drafts.
 */
export function renderConflict(
  workbook: WorkbookController,
  messages: WorkbookMessages,
): TemplateResult | typeof nothing {
  const { saveState, name, config } = workbook;
  if (saveState.status !== 'conflict') return nothing;
  const { theirs } = saveState;
  return html`<dialog class="wide" aria-labelledby="conflict-title" @cancel=${preventClosing}>
    <h2 id="conflict-title">${messages.conflict}</h2>
    <p>${messages.conflictHint}</p>
    <ul class="changes">
      <li>${messages.conflictMine(countOf(config))}</li>
      <li>${messages.conflictTheirs(countOf(theirs.draft.config))}</li>
    </ul>
    <div class="buttons">
      <button type="button" @click=${() => workbook.resolveByCopy(messages.copyName(name))}>
        ${messages.keepBoth}
      </button>
      <button type="button" @click=${() => workbook.resolve('theirs')}>${messages.takeTheirs}</button>
      <button type="button" class="primary" @click=${() => workbook.resolve('mine')}>${messages.keepMine}</button>
    </div>
  </dialog>`;
}

function countOf({ widgets }: DashboardConfig): number {
  return widgets?.length ?? 0;
}

/** Prevents Escape from closing the dialog, because the user must decide. */
function preventClosing(event: Event): void {
  event.preventDefault();
}
