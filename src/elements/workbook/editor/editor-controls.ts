import { html, nothing, type TemplateResult } from 'lit';
import type { DashboardConfig, DashboardWidget } from '../../../contract/dashboards.js';
import { editBoard } from '../../../report/layout/edit-board.js';
import { controlKinds } from '../../../report/layout/edit-controls.js';
import { humanizeName } from '../../../report/query/member-names.js';
import { icon } from '../../creator/creator-icons.js';
import type { WorkbookMessages } from '../workbook-messages.js';

/** Handlers of the list of controls. */
interface ControlHandlers {
  readonly onEdit: (widgetId: string) => void;
  readonly onRemove: (widget: DashboardWidget) => void;
}

/** Renders the list in which the controls are changed and removed. */
export function renderEditorControls(
  config: DashboardConfig,
  messages: WorkbookMessages,
  { onEdit, onRemove }: ControlHandlers,
): TemplateResult | typeof nothing {
  const { controls: widgets } = editBoard(config);
  if (widgets.length === 0) return nothing;
  return html`<ul class="controls" aria-label=${messages.controls}>
    ${widgets.map(widget => {
      const title = controlTitle(widget);
      const isEditable = controlKinds.some(kind => kind === widget.type);
      return html`<li>
        <button
          type="button"
          class="control"
          data-control=${widget.id}
          ?disabled=${!isEditable}
          aria-label=${messages.changeControl(title)}
          @click=${() => onEdit(widget.id)}
        >
          ${icon('filter')} <span dir="auto">${title}</span>
        </button>
        <button
          type="button"
          class="tool"
          aria-label=${messages.removeControl(title)}
          title=${messages.removeControl(title)}
          @click=${() => onRemove(widget)}
        >
          ${icon('cross')}
        </button>
      </li>`;
    })}
  </ul>`;
}

/** Returns the title of a control, or the name of its field in words. */
export function controlTitle({ id, config }: DashboardWidget): string {
  const { title, member } = config ?? {};
  if (typeof title === 'string' && title) return title;
  return typeof member === 'string' ? humanizeName(member.split('.').at(-1) ?? member) : id;
}
