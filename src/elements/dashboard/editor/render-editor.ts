import { html, type TemplateResult } from 'lit';
import { type Creator, creatorOf } from '../../../controllers/creator/creator.js';
import type { EditorRestrictions } from '../../../controllers/creator/editor-restrictions.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { loadEditButton } from '../../parts/lazy-parts.js';

interface EditOptions {
  readonly source: SessionSource | null;
  readonly workbookId: number;
}

/** Renders the button that edits a dashboard, in sessions with creator mode. Other sessions load nothing. */
export function renderEditButton({ source, workbookId }: EditOptions, onEdit: () => void): TemplateResult | undefined {
  const creator = creatorOf(source);
  if (!creator) return undefined;
  // If the button cannot be loaded, the dashboard can only be viewed.
  loadEditButton().catch(() => {});
  return html`<pa-edit-button
    exportparts="edit-button"
    .source=${source}
    .creator=${creator}
    .workbookId=${workbookId}
    .onEdit=${onEdit}
  ></pa-edit-button>`;
}

/** Renders the editor instead of a dashboard; `undefined` in a session that may only view. */
export function renderEditor(
  dashboard: EventTarget,
  { source, workbookId, headingLevel, restricted, restrictions, onDone }: EditOptions & EditorView,
): TemplateResult | undefined {
  const creator: Creator | null = creatorOf(source);
  if (!creator) return undefined;
  return html`<pa-dashboard-editor
    exportparts="notice, button, skeleton"
    .source=${source}
    .creator=${creator}
    .workbookId=${workbookId}
    .headingLevel=${headingLevel}
    .restricted=${restricted}
    .restrictions=${restrictions}
    .dashboard=${dashboard}
    .onDone=${onDone}
  ></pa-dashboard-editor>`;
}

interface EditorView {
  readonly headingLevel: number;
  /** Whether downloading and copying rows is disabled. */
  readonly restricted: boolean;
  /** Restrictions that the page sets for the editor. */
  readonly restrictions: EditorRestrictions;
  readonly onDone: () => void;
}
