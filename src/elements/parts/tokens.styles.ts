import { css } from 'lit';

/**
 * Every token of the theme, once: a host sets `--pa-*`, the parts read `--_*`, which they inherit. Light or dark follows the
 * `color-scheme` that the page has where the element stands, before the first paint.
 */
export const tokens = css`
  :host {
    --_page: var(--pa-page, light-dark(#f6f7f9, #0f1116));
    --_surface: var(--pa-surface, light-dark(#ffffff, #171a21));
    --_text: var(--pa-text, light-dark(#161a22, #eceff4));
    --_muted: var(--pa-muted, light-dark(#566072, #a3adbd));
    --_line: var(--pa-line, light-dark(#d9dde5, #2a2f3a));
    --_control: var(--pa-control, light-dark(#858e9e, #6f7989));
    --_accent: var(--pa-accent, light-dark(#1f5fd0, #8ab4ff));
    --_danger: var(--pa-danger, light-dark(#b3261e, #ff8a80));
    --_series-1: var(--pa-series-1, light-dark(#2f6fde, #6ea3ff));
    --_series-2: var(--pa-series-2, light-dark(#d1590c, #ff9248));
    --_series-3: var(--pa-series-3, light-dark(#0c8a6f, #34c3a0));
    --_series-4: var(--pa-series-4, light-dark(#7a2fb5, #b07cf0));
    --_series-5: var(--pa-series-5, light-dark(#c2255c, #f5d76e));
    --_series-6: var(--pa-series-6, light-dark(#17406b, #ff7fa6));
    --_series-7: var(--pa-series-7, light-dark(#6f7989, #bfe0ff));
    --_font: var(--pa-font, ui-sans-serif, system-ui, sans-serif);
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
