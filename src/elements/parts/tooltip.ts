import { css, html, nothing, type TemplateResult } from 'lit';
import type { Tooltip } from '../../report/marks/mark-with-tooltip.js';
import { popoverStyles } from './popover.js';

/** Renders a tooltip; its element is in the top layer while it has content. */
export function tooltip(shown: Tooltip | null): TemplateResult {
  return html`<div part="tooltip" class="tooltip" popover="manual" aria-hidden="true">${shown ? content(shown) : nothing}</div>`;
}

function content({ title, rows }: Tooltip): TemplateResult {
  return html`${title ? html`<p dir="auto">${title}</p>` : nothing}
    <table>
      <tbody>
        ${rows.map(
          ({ label, value, color }) =>
            html`<tr>
              <th scope="row" dir="auto">${color ? swatch(color) : nothing} ${label}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function swatch(color: string): TemplateResult {
  return html`<svg viewBox="0 0 8 8" width="8" height="8"><circle cx="4" cy="4" r="4" fill=${color} /></svg>`;
}

/** Styles of a tooltip: a title, and rows of labels and values. */
export const tooltipStyles = css`
  ${popoverStyles}
  .tooltip p {
    margin: 0;
    font-weight: 600;
  }
  .tooltip table {
    border-spacing: 0;
  }
  .tooltip th {
    padding: 0;
    padding-inline-end: 16px;
    color: var(--_muted);
    font-weight: 400;
    text-align: start;
  }
  .tooltip td {
    padding: 0;
    font-weight: 500;
    font-variant-numeric: tabular-nums;
    text-align: end;
    overflow-wrap: anywhere;
  }
`;
