import { html, type TemplateResult } from 'lit';
import { heading } from '../heading.js';
import type { TileMark } from './tile-marks.js';

/** What the header of a tile shows. */
export interface TileHeader {
  readonly title: string;
  readonly level: number;
  /** The heading is for assistive technology alone. */
  readonly bare: boolean;
  readonly marks: readonly TileMark[];
  readonly menu: {
    readonly label: string;
    readonly open: boolean;
    readonly onPress: () => void;
    readonly onClick: (event: Event) => void;
  };
}

/**
 * Heading, marks, and a button for the menu that shows on hover and focus. Icons are in the corner, within the padding of the tile: a mark
 * that comes or goes moves nothing. They come before the header, so that Tab leads from the menu to the drawing.
 */
export function tileHeader({ title, level, bare, marks, menu }: TileHeader): TemplateResult {
  return html`<div class="corner">${marks.filter(({ worded }) => !worded).map(renderMark)}</div>
    <header part="header" class=${bare ? 'bare' : ''} title=${title}>
    ${heading(level, 'heading', title)}
    ${marks.filter(({ worded }) => worded).map(renderMark)}
    <button
      part="menu-button"
      class="menu"
      type="button"
      title=${menu.label}
      aria-label=${menu.label}
      aria-haspopup="menu"
      aria-expanded=${menu.open ? 'true' : 'false'}
      @pointerdown=${menu.onPress}
      @click=${menu.onClick}
    >
      <svg viewBox="0 0 24 24" width="16" height="16" fill="currentColor" aria-hidden="true">
        <circle cx="5" cy="12" r="1.75" />
        <circle cx="12" cy="12" r="1.75" />
        <circle cx="19" cy="12" r="1.75" />
      </svg>
    </button>
  </header>`;
}

function renderMark({ label, explanation, icon, worded }: TileMark): TemplateResult {
  return html`<pa-hint
    exportparts="mark"
    icon=${icon}
    ?worded=${worded}
    .label=${label}
    .explanation=${explanation}
  ></pa-hint>`;
}

/** Loads the element of the marks beside a heading. */
export async function loadHint(): Promise<void> {
  await import('../hint/pa-hint.js');
}
