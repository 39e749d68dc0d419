import '../../creator/menu/action-menu-element.js';
import { html, nothing, type TemplateResult } from 'lit';
import type { EditorTool } from '../../../controllers/creator/editor-restrictions.js';
import { type CreatorIcon, icon } from '../../creator/creator-icons.js';
import type { MenuAction } from '../../creator/menu/action-menu-element.js';
import type { WorkbookMessages } from '../workbook-messages.js';
import { type PreviewWidth, previewActions, renderPreviewChoice } from './preview-width.js';

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

/** Renders the tools of the editor. In a narrow editor, the styles hide most of them, and a menu offers them. */
export function renderTools(tools: EditorTools): TemplateResult {
  const { messages, offers } = tools;
  const add = (tool: EditorTool, shape: CreatorIcon, label: string, run: () => void) =>
    offers(tool)
      ? html`<button type="button" part="button" class="wide" @click=${run}>${icon(shape)} ${label}</button>`
      : nothing;
  return html`<div class="tools">
    ${renderTool('undo', messages.undo, tools.onUndo, { disabled: !tools.canUndo })}
    ${renderTool('redo', messages.redo, tools.onRedo, { disabled: !tools.canRedo })}
    ${offers('versions') ? renderTool('history', messages.versions, tools.onVersions, { isWide: true }) : nothing}
    ${offers('settings') ? renderTool('sliders', messages.boardSettings, tools.onSettings, { isWide: true }) : nothing}
    ${renderPreviewChoice(tools.preview, messages, tools.onPreview)}
    ${add('controls', 'filter', messages.addControl, tools.onAddControl)}
    ${add('containers', 'board', messages.addContainer, tools.onAddContainer)}
    ${add('text', 'text', messages.addText, tools.onAddText)}
    <button
      type="button"
      part="button"
      title=${messages.addChart}
      @pointerenter=${tools.onNearChart}
      @focus=${tools.onNearChart}
      @click=${tools.onAddChart}
    >
      ${icon('plus')} <span class="text">${messages.addChart}</span>
    </button>
    <button type="button" part="button" class="primary" @click=${tools.onPublish}>${messages.publish}</button>
    <pa-action-menu class="narrow" .label=${messages.moreTools} .actions=${menuActions(tools)}></pa-action-menu>
  </div>`;
}

/** Returns the tools that a narrow editor offers in a menu. */
function menuActions(tools: EditorTools): readonly MenuAction[] {
  const { messages, offers } = tools;
  const action = (tool: EditorTool, shape: CreatorIcon, label: string, run: () => void): readonly MenuAction[] =>
    offers(tool) ? [{ label, icon: shape, run }] : [];
  return [
    ...action('text', 'text', messages.addText, tools.onAddText),
    ...action('containers', 'board', messages.addContainer, tools.onAddContainer),
    ...action('controls', 'filter', messages.addControl, tools.onAddControl),
    ...previewActions(tools.preview, messages, tools.onPreview),
    ...action('versions', 'history', messages.versions, tools.onVersions),
    ...action('settings', 'sliders', messages.boardSettings, tools.onSettings),
  ];
}

function renderTool(
  name: CreatorIcon,
  label: string,
  run: () => void,
  { disabled = false, isWide = false }: { readonly disabled?: boolean; readonly isWide?: boolean },
): TemplateResult {
  return html`<button
    type="button"
    class=${isWide ? 'tool wide' : 'tool'}
    data-tool=${name}
    aria-label=${label}
    title=${label}
    ?disabled=${disabled}
    @click=${run}
  >
    ${icon(name)}
  </button>`;
}
