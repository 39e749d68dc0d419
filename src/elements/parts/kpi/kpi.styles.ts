import { css } from 'lit';

/**
 * Styles of a figure. Its size is computed from the available space and its number of characters (`--_characters`), so
 * that it fits without measuring. Tiles of equal size in a row use the size of their longest figure
 * (`--_row-characters`, `--_row-height-share`). A figure without content below it is centered in its tile, unless other
 * tiles in the row have more content (`--_row-figure-place`).
 */
export const kpiStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    justify-content: var(--_row-figure-place, safe center);
    overflow: hidden;
    container-type: size;
  }
  .holder {
    flex: none;
    max-inline-size: 100%;
    margin: 0;
  }
  .figure {
    flex: none;
    margin: 0;
    overflow: hidden;
    font-weight: 600;
    font-size: clamp(
      8px,
      min(
        100cqi / (max(var(--_characters), var(--_row-characters, 0)) * 0.74),
        min(var(--_height-share, 60), var(--_row-height-share, 60)) * 1cqb
      ),
      var(--pa-figure-size, 36px)
    );
    font-variant-numeric: tabular-nums;
    letter-spacing: -0.02em;
    line-height: 1.15;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .figure:has(~ .change, ~ .trend, ~ .bar),
  .holder:has(~ .change, ~ .trend, ~ .bar) .figure {
    --_height-share: 40;
  }
  button.figure {
    display: block;
    box-sizing: border-box;
    max-inline-size: 100%;
    min-block-size: 24px;
    padding: 0;
    border: 0;
    border-radius: var(--_control-radius);
    background: none;
    color: inherit;
    font-family: inherit;
    text-align: start;
    cursor: pointer;
  }
  button.figure:hover {
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 0.15em;
  }
  button.figure:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  .label {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  .label,
  .change {
    flex: none;
    margin: 2px 0 0;
    overflow: hidden;
    color: var(--_muted);
    font-size: 12px;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .amount {
    color: var(--_text);
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .amount svg {
    margin-inline-end: 2px;
    vertical-align: -1px;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .amount.good {
    color: var(--_success);
  }
  .amount.bad {
    color: var(--_danger);
  }
  .amount.bad path {
    fill: currentcolor;
  }
  .bar {
    flex: none;
    box-sizing: border-box;
    block-size: 8px;
    margin-block-start: 8px;
    border-radius: 999px;
    background: color-mix(in srgb, var(--_text) 10%, var(--_surface));
    overflow: hidden;
  }
  .bar::before {
    display: block;
    inline-size: var(--_share, 0%);
    block-size: 100%;
    border-radius: inherit;
    background: var(--_series-1);
    content: '';
  }
  .bar.good::before {
    background: var(--_success);
  }
  .bar.bad::before {
    background: var(--_danger);
  }
  /* Spans the height of the tile: the figure at the top, the other content at the bottom. */
  .figure ~ :is(.change, .bar):not(.bar ~ .change),
  .holder ~ :is(.change, .bar):not(.bar ~ .change) {
    margin-block-start: auto;
  }
  .trend {
    flex: 1 1 64px;
    max-block-size: 60cqb;
    inline-size: 100%;
    min-block-size: 0;
    margin-block-start: auto;
    padding-block-start: 8px;
    overflow: visible;
  }
  .trend path {
    fill: none;
    stroke: var(--_series-1);
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  /* Labels that are wider than the tile wrap if there is enough height. */
  @container (block-size >= 92px) {
    .change {
      display: -webkit-box;
      white-space: normal;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
      line-clamp: 2;
    }
  }
  @container (block-size < 56px) {
    .label,
    .bar,
    .trend {
      display: none;
    }
  }
  @container (block-size < 84px) {
    .label:has(~ .change, ~ .trend) {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .bar {
      border: 1px solid CanvasText;
    }
    .bar::before {
      background: Highlight;
      forced-color-adjust: none;
    }
    .trend path {
      stroke: CanvasText;
    }
  }
`;
