import { html, type TemplateResult } from 'lit';
import type { DashboardConfig } from '../../../contract/dashboards.js';
import { type BoardSettings, boardSettings } from '../../../report/layout/edit-settings.js';
import type { WorkbookMessages } from '../workbook-messages.js';
import { closeDialog, type DialogHandlers } from './editor-dialogs.js';

const crossFilters = ['always', 'menu', 'never'] as const;

/** Renders the dialog that changes the settings of the dashboard. */
export function renderSettingsDialog(
  config: DashboardConfig,
  messages: WorkbookMessages,
  { onSubmit, onClose }: DialogHandlers,
): TemplateResult {
  const { description, timezone, crossFilter, restrictDataDownload } = boardSettings(config);
  const zones = new Set([...(timezone === '' ? [] : [timezone]), 'UTC', ...Intl.supportedValuesOf('timeZone')]);
  return html`<dialog class="form" aria-labelledby="settings-title" @close=${onClose}>
    <form method="dialog" @submit=${onSubmit}>
      <h2 id="settings-title">${messages.boardSettings}</h2>
      <label class="field">
        ${messages.description}
        <textarea name="description" rows="3" maxlength="10000" dir="auto" .value=${description}></textarea>
      </label>
      <label class="field">
        ${messages.timezone}
        <select name="timezone">
          <option value="" .selected=${timezone === ''}>${messages.timezoneDefault}</option>
          ${[...zones].map(zone => html`<option value=${zone} .selected=${zone === timezone}>${zone}</option>`)}
        </select>
      </label>
      <label class="field">
        ${messages.crossFilter}
        <select name="crossFilter">
          ${crossFilters.map(
            each =>
              html`<option value=${each} .selected=${each === crossFilter}>${messages.crossFilters[each]}</option>`,
          )}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" name="restrictDataDownload" .checked=${restrictDataDownload} />
        <span>${messages.restrictDownload}</span>
      </label>
      <div class="buttons">
        <button type="button" @click=${closeDialog}>${messages.cancel}</button>
        <button type="submit" class="primary">${messages.save}</button>
      </div>
    </form>
  </dialog>`;
}

/** Returns the settings that the user has chosen in the dialog. */
export function chosenSettings(form: HTMLFormElement): BoardSettings {
  const data = new FormData(form);
  const chosen = data.get('crossFilter');
  return {
    description: String(data.get('description') ?? '').trim(),
    timezone: String(data.get('timezone') ?? ''),
    crossFilter: crossFilters.find(each => each === chosen) ?? 'menu',
    restrictDataDownload: data.has('restrictDataDownload'),
  };
}
