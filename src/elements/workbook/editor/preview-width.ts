import { html, type TemplateResult } from 'lit';
import type { MenuAction } from '../../creator/menu/action-menu-element.js';
import type { WorkbookMessages } from '../workbook-messages.js';

/** Widths of a preview, px; the editor itself shows the widest layout. */
export const previewWidths = { desktop: null, tablet: 768, phone: 390 } as const;
/** Name of a preview. */
export type PreviewWidth = keyof typeof previewWidths;
const names: readonly PreviewWidth[] = ['desktop', 'tablet', 'phone'];

/** Renders the choice of the width of the preview. */
export function renderPreviewChoice(
  current: PreviewWidth,
  messages: WorkbookMessages,
  onChoose: (width: PreviewWidth) => void,
): TemplateResult {
  const handleChange = ({ target }: Event): void => {
    const value = target instanceof HTMLSelectElement ? target.value : '';
    onChoose(names.find(name => name === value) ?? 'desktop');
  };
  return html`<select class="preview wide" aria-label=${messages.previewWidth} title=${messages.previewWidth} @change=${handleChange}>
    ${names.map(name => html`<option value=${name} ?selected=${name === current}>${messages.previews[name]}</option>`)}
  </select>`;
}

/** Returns the actions that change the width of the preview. */
export function previewActions(
  current: PreviewWidth,
  { previewWidth, previews }: WorkbookMessages,
  onChoose: (width: PreviewWidth) => void,
): readonly MenuAction[] {
  return names
    .filter(name => name !== current)
    .map(name => ({ label: `${previewWidth}: ${previews[name]}`, icon: 'wider', run: () => onChoose(name) }));
}
