import { html, nothing, type TemplateResult } from 'lit';
import type { EditorTool } from '../../../controllers/creator/editor-restrictions.js';
import { type CreatorIcon, icon } from '../../creator/creator-icons.js';
import type { WorkbookMessages } from '../workbook-messages.js';
import { type PreviewWidth, renderPreviewChoice } from './preview-width.js';

/** State and callbacks of the tools of the editor. */
export interface EditorTools {
  readonly messages: WorkbookMessages;
  readonly preview: PreviewWidth;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether the page allows a tool. */
  readonly offers: (tool: EditorTool) => boolean;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onVersions: () => void;
  readonly onSettings: () => void;
  readonly onPreview: (width: PreviewWidth) => void;
  readonly onAddControl: () => void;
  readonly onAddContainer: () => void;
  readonly onAddText: () => void;
  readonly onAddChart: () => void;
  /** Called when the user is about to add a chart. */
  readonly onNearChart: () => void;
  readonly onPublish: () => void;
}

/** Renders the tools of the editor. */
export function renderTools(tools: EditorTools): TemplateResult {
  const { messages, offers } = tools;
  const add = (tool: EditorTool, shape: CreatorIcon, label: string, run: () => void) =>
    offers(tool) ? html`<button type="button" part="button" @click=${run}>${icon(shape)} ${label}</button>` : nothing;
  return html`<div class="tools">
    ${renderTool('undo', messages.undo, tools.onUndo, { disabled: !tools.canUndo })}
    ${renderTool('redo', messages.redo, tools.onRedo, { disabled: !tools.canRedo })}
    ${offers('versions') ? renderTool('history', messages.versions, tools.onVersions, { disabled: false }) : nothing}
    ${offers('settings') ? renderTool('sliders', messages.boardSettings, tools.onSettings, { disabled: false }) : nothing}
    ${renderPreviewChoice(tools.preview, messages, tools.onPreview)}
    ${add('controls', 'filter', messages.addControl, tools.onAddControl)}
    ${add('containers', 'board', messages.addContainer, tools.onAddContainer)}
    ${add('text', 'text', messages.addText, tools.onAddText)}
    <button
      type="button"
      part="button"
      @pointerenter=${tools.onNearChart}
      @focus=${tools.onNearChart}
      @click=${tools.onAddChart}
    >
      ${icon('plus')} ${messages.addChart}
    </button>
    <button type="button" part="button" class="primary" @click=${tools.onPublish}>${messages.publish}</button>
  </div>`;
}

function renderTool(
  name: CreatorIcon,
  label: string,
  run: () => void,
  { disabled }: { readonly disabled: boolean },
): TemplateResult {
  return html`<button
    type="button"
    class="tool"
    data-tool=${name}
    aria-label=${label}
    title=${label}
    ?disabled=${disabled}
    @click=${run}
  >
    ${icon(name)}
  </button>`;
}
