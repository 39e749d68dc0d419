import { html, type TemplateResult } from 'lit';
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
