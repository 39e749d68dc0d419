import { html, nothing, type TemplateResult } from 'lit';
import type { WorkbookController } from '../../../controllers/creator/workbook-controller.js';
import {
  type BoardVersion,
  boardDifferences,
  type DifferenceField,
  type WidgetDifference,
} from '../../../report/layout/board-differences.js';
import type { WorkbookMessages } from '../workbook-messages.js';
import { describeFields } from './conflict-dialog.js';
import { widgetName } from './tile-name.js';

/** Fields that differ when a tile was moved or resized. */
const placeFields: ReadonlySet<DifferenceField> = new Set(['position', 'size']);

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
        ${renderChanges(workbook, messages)}
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

/** Renders what the next publication changes for viewers: groups of tiles with their names. */
function renderChanges({ published, config, reports }: WorkbookController, messages: WorkbookMessages) {
  if (!published) return html`<li>${messages.publishFirst}</li>`;
  const snapshots = published.reportSnapshots.map(snapshot => [snapshot.reportId, snapshot] as const);
  const [before, after] = [
    { config: published.config, reports: new Map(snapshots) },
    { config, reports },
  ];
  const all = boardDifferences(before, after);
  const isMove = ({ fields }: WidgetDifference) => fields.length > 0 && fields.every(field => placeFields.has(field));
  const of = (kind: WidgetDifference['kind']) => all.filter(each => each.kind === kind && each.id && !isMove(each));
  const nameIn = (version: BoardVersion) => (difference: WidgetDifference) =>
    widgetName(version, difference.id, messages);
  const groups = [
    { label: messages.publishAdded, differences: of('added'), name: nameIn(after) },
    { label: messages.publishRemoved, differences: of('removed'), name: nameIn(before) },
    { label: messages.publishChanged, differences: of('changed'), name: nameIn(after) },
  ].filter(({ differences }) => differences.length > 0);
  if (all.length === 0) return html`<li>${messages.publishNothing}</li>`;
  return html`${groups.map(
    ({ label, differences, name }) => html`<li>
      ${label(differences.length)}
      <ul>
        ${differences.map(
          each => html`<li>
            <strong dir="auto">${name(each)}</strong>
            ${describeFields(each.fields, messages).map(field => html`<span>${field}</span>`)}
          </li>`,
        )}
      </ul>
    </li>`,
  )}
  ${all.some(isMove) ? html`<li>${messages.publishMoved}</li>` : nothing}
  ${all.some(({ id }) => id === '') ? html`<li>${messages.publishSettings}</li>` : nothing}`;
}

/** Closes the dialog of the element that fired an event. */
export function closeDialog({ currentTarget }: Event): void {
  if (currentTarget instanceof Element) currentTarget.closest('dialog')?.close();
}
