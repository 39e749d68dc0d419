import { css, html, nothing, type TemplateResult } from 'lit';
import { popoverStyles } from './popover.js';

/** What a tooltip of a drawing says. */
export interface Tooltip {
  /** Empty for none. */
  readonly title: string;
  readonly rows: readonly {
    readonly label: string;
    readonly value: string;
    /** Colour that it is drawn in, where that tells rows apart. */
    readonly color?: string | null | undefined;
  }[];
}

/** A tooltip; its element stands in the top layer while there is something to say. */
export function tooltip(said: Tooltip | null): TemplateResult {
  return html`<div part="tooltip" class="tooltip" popover="manual" aria-hidden="true">${said ? content(said) : nothing}</div>`;
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

/** A tooltip of a drawing: a title, and rows of a name and what it is. */
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
