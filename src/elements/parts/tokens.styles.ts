import { css, unsafeCSS } from 'lit';
import { fontFamily, palette, type Shade, seriesColors } from '../../report/theme/palette.js';

/** Returns a token: the value of the page, otherwise that of a theme, otherwise the built-in default. */
const token = (name: string, value: string, own = name): string =>
  `--_${own}: var(--pa-${name}, var(--_theme-${name}, ${value}));`;
const shade = (name: string, { light, dark }: Shade): string => token(name, `light-dark(${light}, ${dark})`);

const all = unsafeCSS(`:host {
  ${[
    ...Object.entries(palette).map(([name, value]) => shade(name, value)),
    ...seriesColors.map((value, index) => shade(`series-${index + 1}`, value)),
    token('font', fontFamily),
    token('code-font', 'ui-monospace, monospace'),
    token('background', 'transparent'),
    token('dashboard-padding', '0px'),
    token('radius', '10px'),
    token('control-radius', '6px'),
    token('tile-padding', '16px', 'padding'),
    token('tile-margin', '0px'),
    token('tile-border-width', '1px'),
    token('tile-border-style', 'solid'),
    token('tile-border-color', 'var(--_line)'),
    token('title-color', 'var(--_text)'),
    token('title-font', 'var(--_font)'),
    token('title-size', '14px'),
    token('title-weight', '600'),
    token('chip-radius', '999px'),
    token('control-surface', 'var(--_surface)'),
    token('control-padding', '0px 12px'),
    token('control-border-width', '1px'),
    token('control-border-style', 'solid'),
    token('control-title-color', 'var(--_muted)'),
    token('control-title-font', 'var(--_font)'),
    token('control-title-size', '13px'),
    token('control-title-weight', '400'),
  ].join('\n  ')}
  --_tile-border: var(--_tile-border-width) var(--_tile-border-style) var(--_tile-border-color);
  --_control-border: var(--_control-border-width) var(--_control-border-style) var(--_control);
}`);

/**
 * All theme tokens. Pages set `--pa-*`, which takes precedence over themes (`report/theme/theme.ts`). The parts read
 * the inherited `--_*`. Light or dark follows the page's `color-scheme` at the element, before the first paint.
 */
export const tokens = css`
  ${all}
  :host {
    color: var(--_text);
    font: 400 14px/1.5 var(--_font);
    text-align: start;
  }
`;

/** Default styles of buttons and focus rings. */
export const controls = css`
  /* The text has its own direction, but is aligned to the start side of the page. */
  [part='heading'][dir],
  .title > [dir] {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
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
