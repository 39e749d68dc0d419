import { html, type nothing, type TemplateResult } from 'lit';

/** Returns the heading level that a host set, or `fallback` if it is not a number. */
export function headingLevel(given: unknown, fallback: number): number {
  return typeof given === 'number' && Number.isFinite(given) ? given : fallback;
}

/** Renders a heading. Levels outside 1 to 6 are clamped; the text direction follows the content. */
export function heading(level: number, id: string | typeof nothing, content: unknown): TemplateResult {
  switch (Math.min(6, Math.max(1, Math.round(level)))) {
    case 1:
      return html`<h1 id=${id} part="heading" dir="auto">${content}</h1>`;
    case 2:
      return html`<h2 id=${id} part="heading" dir="auto">${content}</h2>`;
    case 3:
      return html`<h3 id=${id} part="heading" dir="auto">${content}</h3>`;
    case 4:
      return html`<h4 id=${id} part="heading" dir="auto">${content}</h4>`;
    case 5:
      return html`<h5 id=${id} part="heading" dir="auto">${content}</h5>`;
    default:
      return html`<h6 id=${id} part="heading" dir="auto">${content}</h6>`;
  }
}
