import { html, type TemplateResult } from 'lit';

/** Paths of Lucide icons (ISC license), 24 by 24. */
const shapes = {
  attach: 'm21.4 11.1-9.2 9.2a6 6 0 0 1-8.5-8.5l9.2-9.2a4 4 0 0 1 5.7 5.7l-9.2 9.2a2 2 0 0 1-2.8-2.8l8.5-8.5',
  chat: 'M7.9 20A9 9 0 1 0 4 16.1L2 22Z',
  close: 'M18 6 6 18M6 6l12 12',
  plus: 'M5 12h14M12 5v14',
  send: 'm5 12 7-7 7 7M12 19V5',
  stop: 'M7 6h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1',
  threads: 'M3 12a9 9 0 1 0 9-9 9.8 9.8 0 0 0-6.7 2.7L3 8M3 3v5h5M12 7v5l4 2',
} as const;

/** Name of an icon. */
export type IconName = keyof typeof shapes;

/** Renders a decorative icon of the chat; adjacent text or a label must carry its meaning. */
export function icon(name: IconName): TemplateResult {
  return drawIcon(shapes[name]);
}

/** Renders a 24 by 24 path at 16 px in the current text color. */
export function drawIcon(path: string): TemplateResult {
  return html`<svg
    viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"
  ><path d=${path} /></svg>`;
}
