import { html, type TemplateResult } from 'lit';

/**
 * An icon of 16 px in the colour of its text; decoration, so whatever stands beside it must say the same.
 * @param path - a shape of lucide (ISC), 24 by 24.
 */
export function drawIcon(path: string): TemplateResult {
  return html`<svg
    viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"
  ><path d=${path} /></svg>`;
}
