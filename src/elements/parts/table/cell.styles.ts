import { css, unsafeCSS } from 'lit';
import { maxScaleShare, scaleSteps } from '../../../report/table/cell-graphics.js';
import { maxPinnedColumns } from './grid-layout.js';

const scale = unsafeCSS(
  Array.from({ length: scaleSteps + 1 }, (_, step) => {
    const share = ((maxScaleShare * step) / scaleSteps).toFixed(1);
    const rule = (name: string, color: string): string =>
      `td.${name}-${step} { background: color-mix(in srgb, var(--_${color}) ${share}%, var(--_surface)); }`;
    return `${rule('heat', 'accent')}\n${rule('cold', 'danger')}`;
  }).join('\n'),
);

const pinned = unsafeCSS(
  Array.from(
    { length: maxPinnedColumns },
    (_, column) => `.pin-${column} { inset-inline-start: var(--_pin-${column}, 0); }`,
  ).join('\n'),
);

const choices = css`
  .pin {
    position: sticky;
    z-index: 1;
  }
  thead .pin {
    position: sticky;
    z-index: 2;
  }
  ${pinned}
  .in-range,
  tbody tr:hover > .in-range {
    background-color: color-mix(in srgb, var(--_accent) 14%, var(--_surface));
  }
  .chosen,
  tbody tr:hover > .chosen {
    background-color: color-mix(in srgb, var(--_accent) 18%, var(--_surface));
    font-weight: 600;
  }
  table:focus .active,
  table:focus-within .active {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  a {
    color: var(--_accent);
    text-underline-offset: 2px;
  }
  img {
    display: inline-block;
    max-inline-size: 100%;
    block-size: 24px;
    object-fit: contain;
    vertical-align: middle;
  }
  /* Follows the text direction of the cell, but aligns with the column. */
  .words,
  .start > a {
    display: block;
    inline-size: fit-content;
    max-inline-size: 100%;
    overflow: inherit;
    text-overflow: inherit;
  }
  .barred {
    display: flex;
    gap: 8px;
    align-items: center;
  }
  .barred > :last-child {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    text-align: end;
    text-overflow: ellipsis;
  }
  /* Same length in every row, independent of the figure next to it. */
  .bar {
    flex: none;
    inline-size: 50%;
    block-size: 12px;
    color: var(--_accent);
  }
  .bar rect {
    fill: color-mix(in srgb, currentColor 55%, transparent);
  }
  .bar .negative {
    color: var(--_danger);
  }
  :host(:dir(rtl)) .bar {
    transform: scaleX(-1);
  }
  .line {
    display: block;
    inline-size: 100%;
    block-size: 20px;
    overflow: visible;
  }
  .line path {
    fill: none;
    stroke: var(--_accent);
    stroke-width: 1.5;
    stroke-linejoin: round;
  }
`;

/** Tones use a sign and a font weight in addition to color. */
const toned = css`
  .tone {
    font-weight: 600;
  }
  .tone::before {
    margin-inline-end: 4px;
    font-size: 10px;
  }
  .positive {
    background: color-mix(in srgb, var(--_success) 10%, var(--_surface));
    color: var(--_success);
  }
  .tone.positive::before {
    content: '▲' / '';
  }
  .negative:not(rect) {
    background: color-mix(in srgb, var(--_danger) 10%, var(--_surface));
    color: var(--_danger);
  }
  .tone.negative::before {
    content: '▼' / '';
  }
  .warning {
    background: color-mix(in srgb, var(--_warn) 10%, var(--_surface));
    color: var(--_warn);
  }
  .tone.warning::before {
    content: '!' / '';
    font-weight: 700;
    font-size: 12px;
  }
  .accent {
    background: color-mix(in srgb, var(--_accent) 10%, var(--_surface));
    color: var(--_accent);
  }
  .tone.accent::before {
    content: '●' / '';
  }
  .tone.muted {
    color: var(--_muted);
    font-weight: 400;
  }
  ${scale}
`;

const forced = css`
  @media (forced-colors: active) {
    .in-range,
    .chosen {
      outline: 1px solid Highlight;
      outline-offset: -1px;
    }
    table:focus-within .active {
      outline: 3px solid Highlight;
    }
    .bar rect {
      fill: CanvasText;
    }
    .bar .negative {
      fill: none;
      stroke: CanvasText;
    }
    .line path {
      stroke: CanvasText;
    }
    .handle:focus::after {
      background: Highlight;
    }
  }
`;

/** Styles of cell contents and of selected cells. */
export const cellStyles = [choices, toned, forced];
