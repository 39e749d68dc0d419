import { css, unsafeCSS } from 'lit';
import { fontFamily, palette, type Shade, seriesColors } from '../../report/palette.js';

const token = (name: string, { light, dark }: Shade): string =>
  `--_${name}: var(--pa-${name}, light-dark(${light}, ${dark}));`;

const colors = unsafeCSS(`:host {
  ${Object.entries(palette)
    .map(([name, shade]) => token(name, shade))
    .join('\n  ')}
  ${seriesColors.map((shade, index) => token(`series-${index + 1}`, shade)).join('\n  ')}
}`);

/**
 * Every token of the theme, once: a host sets `--pa-*`, the parts read `--_*`, which they inherit. Light or dark follows the
 * `color-scheme` that the page has where the element stands, before the first paint.
 */
export const tokens = css`
  ${colors}
  :host {
    --_font: var(--pa-font, ${unsafeCSS(fontFamily)});
    --_radius: var(--pa-radius, 10px);
    --_control-radius: var(--pa-control-radius, 6px);
    --_padding: var(--pa-tile-padding, 16px);
    color: var(--_text);
    font: 400 14px/1.5 var(--_font);
    text-align: start;
  }
`;

/** A button of the house, and what every focusable thing shows. */
export const controls = css`
  button {
    box-sizing: border-box;
    min-block-size: 32px;
    padding: 0 12px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    color: inherit;
    font: 500 13px/1 var(--_font);
    cursor: pointer;
    transition: background-color 120ms;
  }
  button:hover {
    background: color-mix(in srgb, var(--_text) 6%, var(--_surface));
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  @media (pointer: coarse) {
    button {
      min-block-size: 44px;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    button {
      transition: none;
    }
  }
`;
