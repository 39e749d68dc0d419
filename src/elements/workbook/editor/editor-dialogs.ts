import { html, nothing, type TemplateResult } from 'lit';
import type { WorkbookController } from '../../../controllers/creator/workbook-controller.js';
import { boardChanges } from '../../../report/layout/edit-board.js';
import type { WorkbookMessages } from '../workbook-messages.js';

/** A text tile in the dialog. */
export interface TextEditing {
  /** Id of the tile; `null` for a new one. */
  readonly widgetId: string | null;
  readonly markdown: string;
}

/** Handlers of a dialog with a form. */
export interface DialogHandlers {
  readonly onSubmit: (event: SubmitEvent) => void;
  readonly onClose: () => void;
}

/** Renders the dialog that edits a text tile. */
export function renderTextDialog(
  { widgetId, markdown }: TextEditing,
  messages: WorkbookMessages,
  { onSubmit, onClose }: DialogHandlers,
): TemplateResult {
  return html`<dialog class="wide" aria-labelledby="text-title" @close=${onClose}>
    <form method="dialog" @submit=${onSubmit}>
      <h2 id="text-title">${widgetId === null ? messages.addText : messages.editText}</h2>
      <label class="field">
        ${messages.markdown}
        <textarea name="markdown" rows="8" required maxlength="20000" dir="auto" .value=${markdown}></textarea>
      </label>
      <div class="buttons">
        <button type="button" @click=${closeDialog}>${messages.cancel}</button>
        <button type="submit" class="primary">${messages.save}</button>
      </div>
    </form>
  </dialog>`;
}

/** Renders the dialog that publishes the draft and lists what changes for viewers. */
export function renderPublishDialog(
  workbook: WorkbookController,
  messages: WorkbookMessages,
  { onSubmit, onClose, canShare }: DialogHandlers & { readonly canShare: boolean },
): TemplateResult {
  const { published, isShared } = workbook;
  return html`<dialog aria-labelledby="publish-title" @close=${onClose}>
    <form method="dialog" @submit=${onSubmit}>
      <h2 id="publish-title">${messages.publishTitle}</h2>
      <ul class="changes">
        ${changesOf(workbook, messages).map(change => html`<li>${change}</li>`)}
      </ul>
      ${
        canShare
          ? html`<label class="check">
              <input type="checkbox" name="shared" ?checked=${isShared || !published} />
              <span>${messages.shareWithTeam}</span>
            </label>`
          : nothing
      }
      <div class="buttons">
        <button type="button" @click=${closeDialog}>${messages.cancel}</button>
        <button type="submit" class="primary">${messages.publish}</button>
      </div>
    </form>
  </dialog>`;
}

/** Describes what the next publication changes for viewers. */
function changesOf({ published, config }: WorkbookController, messages: WorkbookMessages): readonly string[] {
  if (!published) return [messages.publishFirst];
  const { added, removed, changed, moved, settings } = boardChanges(published.config, config);
  const lines = [
    ...(added.length > 0 ? [messages.publishAdded(added.length)] : []),
    ...(removed.length > 0 ? [messages.publishRemoved(removed.length)] : []),
    ...(changed.length > 0 ? [messages.publishChanged(changed.length)] : []),
    ...(moved ? [messages.publishMoved] : []),
    ...(settings ? [messages.publishSettings] : []),
  ];
  return lines.length > 0 ? lines : [messages.publishNothing];
}

/** Closes the dialog of the element that fired an event. */
export function closeDialog({ currentTarget }: Event): void {
  if (currentTarget instanceof Element) currentTarget.closest('dialog')?.close();
}
