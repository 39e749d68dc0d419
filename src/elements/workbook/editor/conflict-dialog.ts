import { html, nothing, type TemplateResult } from 'lit';
import type { WorkbookController } from '../../../controllers/creator/workbook-controller.js';
import {
  type BoardVersion,
  boardDifferences,
  type DifferenceField,
  type WidgetDifference,
} from '../../../report/layout/board-differences.js';
import type { WorkbookMessages } from '../workbook-messages.js';
import { widgetName } from './tile-name.js';

/** Two drafts that were made from the same one. */
interface Conflict {
  readonly base: BoardVersion;
  readonly mine: BoardVersion;
  readonly theirs: BoardVersion;
}

/**
 * Renders the dialog that resolves a conflict with a draft that was saved elsewhere: what each draft changes in each
 * tile, and the choices.
 */
export function renderConflict(
  workbook: WorkbookController,
  messages: WorkbookMessages,
): TemplateResult | typeof nothing {
  const { saveState, name, config, reports } = workbook;
  if (saveState.status !== 'conflict') return nothing;
  const { theirs, base } = saveState;
  const conflict = {
    base,
    mine: { config, reports },
    theirs: { config: theirs.draft.config, reports: theirs.reports },
  };
  return html`<dialog class="wide" aria-labelledby="conflict-title" @cancel=${preventClosing}>
    <h2 id="conflict-title">${messages.conflict}</h2>
    <p>${messages.conflictHint}</p>
    <ul class="differences" tabindex="0" aria-label=${messages.conflictList}>
      <li class="heads" aria-hidden="true">
        <span></span><span>${messages.conflictMine}</span><span>${messages.conflictTheirs}</span>
      </li>
      ${renderRows(conflict, messages)}
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

function renderRows({ base, mine, theirs }: Conflict, messages: WorkbookMessages): readonly TemplateResult[] {
  const [own, others] = [mine, theirs].map(version => {
    return new Map(boardDifferences(base, version).map(difference => [difference.id, difference]));
  });
  const ids = new Set([...(own?.keys() ?? []), ...(others?.keys() ?? [])]);
  return [...ids].map(id => {
    const [here, there] = [own?.get(id), others?.get(id)];
    const named = [mine, theirs, base].find(version => version.config.widgets?.some(widget => widget.id === id));
    return html`<li>
      <div>
        <strong dir="auto">${named ? widgetName(named, id, messages) : messages.dashboardSettings}</strong>
        ${here && there ? html`<span class="clash">${messages.conflictBoth}</span>` : nothing}
      </div>
      ${renderSide(messages.conflictMine, here, { version: mine, messages })}
      ${renderSide(messages.conflictTheirs, there, { version: theirs, messages })}
    </li>`;
  });
}

/** Renders what one of the drafts changes in a tile. */
function renderSide(
  label: string,
  difference: WidgetDifference | undefined,
  { version, messages }: { readonly version: BoardVersion; readonly messages: WorkbookMessages },
): TemplateResult {
  return html`<div class=${difference ? 'side' : 'side same'}>
    <span class="label">${label}</span>
    ${describeDifference(difference, version, messages).map(line => html`<span dir="auto">${line}</span>`)}
  </div>`;
}

/** Describes the difference of a widget, one line for each field. */
function describeDifference(
  difference: WidgetDifference | undefined,
  version: BoardVersion,
  messages: WorkbookMessages,
): readonly string[] {
  if (!difference) return [messages.differenceNone];
  const { id, kind, fields } = difference;
  if (kind !== 'changed') return [messages.differenceKinds[kind]];
  const lines = describeFields(fields, messages);
  if (!fields.includes('title')) return lines;
  return lines.map(line => {
    return line === messages.differences.title ? messages.newTitle(widgetName(version, id, messages)) : line;
  });
}

/** Returns the names of the fields in which a widget differs. */
export function describeFields(fields: readonly DifferenceField[], messages: WorkbookMessages): readonly string[] {
  return fields.map(field => messages.differences[field]);
}

/** Prevents Escape from closing the dialog, because the user must decide. */
function preventClosing(event: Event): void {
  event.preventDefault();
}
