import { html, type TemplateResult } from 'lit';
import { type SkeletonShape, skeleton } from '../parts/skeleton.js';

const outlines: readonly SkeletonShape[] = ['figure', 'figure', 'figure', 'figure', 'bars', 'bars'];

/** Outline of a dashboard while its configuration loads. */
export function renderOutline(): TemplateResult {
  return html`<div class="delayed" aria-hidden="true">
    <div class="title">${skeleton('lines')}</div>
    <div class="grid outlines">
      ${outlines.map(shape => html`<div class="outline">${skeleton(shape)}</div>`)}
    </div>
  </div>`;
}
