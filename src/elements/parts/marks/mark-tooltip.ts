import { html, nothing, type TemplateResult } from 'lit';

/** What a tooltip says. */
export interface MarkTooltip {
  readonly title: string;
  readonly rows: readonly { readonly label: string; readonly value: string }[];
}

/** A tooltip; its element stands in the top layer while there is something to say. */
export function markTooltip(tooltip: MarkTooltip | null): TemplateResult {
  return html`<div part="tooltip" class="tooltip" popover="manual" aria-hidden="true">
    ${tooltip ? content(tooltip) : nothing}
  </div>`;
}

function content({ title, rows }: MarkTooltip): TemplateResult {
  return html`<p dir="auto">${title}</p>
    <table>
      <tbody>
        ${rows.map(
          ({ label, value }) =>
            html`<tr>
              <th scope="row" dir="auto">${label}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}
