import { css } from 'lit';

/**
 * Styles of a dashboard. Until it renders, it keeps the height that `styles.css` reserves before the upgrade, so that
 * the content below does not shift twice.
 */
export const dashboardStyles = css`
  :host {
    display: block;
    box-sizing: border-box;
    min-inline-size: 0;
    padding: var(--_dashboard-padding);
    background: var(--_background);
  }
  :host([hidden]) {
    display: none;
  }
  .ruler {
    block-size: 0;
  }
  .reserved {
    min-block-size: var(--pa-dashboard-reserve, 100vh);
  }
  .blank {
    visibility: hidden;
  }
  .title {
    margin-block-end: 16px;
  }
  .title :is(h1, h2, h3, h4, h5, h6) {
    margin: 0;
    font: 600 20px/28px var(--_font);
    letter-spacing: -0.01em;
    text-wrap: balance;
    overflow-wrap: anywhere;
  }
  .title-line {
    /* The height of the buttons, which appear later than the title. */
    min-block-size: 32px;
    display: flex;
    align-items: start;
    flex-wrap: wrap;
    gap: 8px 12px;
  }
  .title-line > #title {
    flex: 1 1 min(10em, 100%);
    min-inline-size: 0;
  }
  .tools {
    display: contents;
  }
  /* The buttons stay together if they do not fit next to the title. */
  @media (max-width: 600px) {
    .tools {
      display: flex;
      flex-wrap: wrap;
      gap: 8px 12px;
      margin-block-end: 8px;
    }
  }
  .title p {
    max-inline-size: 80ch;
    margin: 2px 0 0;
    color: var(--_muted);
  }
  .title .skeleton {
    display: block;
    block-size: 32px;
  }
  .title .skeleton i {
    inline-size: min(240px, 60%);
    block-size: 20px;
    margin-block: 4px;
  }
  pa-controls {
    display: block;
    min-block-size: 34px;
    margin-block-end: 16px;
  }
  .with-bar {
    display: grid;
    grid-template-columns: minmax(0, 3fr) minmax(120px, 2fr);
    column-gap: 16px;
  }
  .with-bar > :not(pa-controls) {
    grid-column: 1;
  }
  .with-bar > pa-controls {
    grid-area: 1 / 2 / span 2;
    margin: 0;
  }
  @media (pointer: coarse) {
    pa-controls {
      min-block-size: 44px;
    }
  }
  .grid {
    display: grid;
    grid-template-columns: repeat(var(--_columns, 12), minmax(0, 1fr));
    grid-auto-rows: var(--_row-height, 30px);
    gap: var(--_gap, 16px);
    padding: var(--_grid-padding, 0);
  }
  .cell {
    grid-area: var(--_y) / var(--_x) / span var(--_h) / span var(--_w);
    box-sizing: border-box;
    min-inline-size: 0;
    min-block-size: 0;
    padding: var(--_tile-margin);
  }
  pa-container:not(:defined) {
    display: block;
    block-size: 100%;
    visibility: hidden;
  }
  pa-container:not(:defined) > .closed {
    display: none;
  }
  .unframed pa-container:not(:defined) {
    visibility: visible;
  }
  .pane,
  .pane > .cell {
    block-size: 100%;
  }
  .stack {
    display: flex;
    gap: var(--_gap, 16px);
    block-size: 100%;
  }
  .stack.vertical {
    flex-direction: column;
  }
  .stack > .cell {
    flex: var(--_weight, 1) 1 0;
  }
  .stack > .divider {
    flex: none;
    block-size: 17px;
  }
  .stack.horizontal > .divider {
    inline-size: 17px;
    block-size: auto;
    justify-content: center;
  }
  .stack.horizontal > .divider hr {
    flex: none;
    block-size: 100%;
    border-block-start: 0;
    border-inline-start: 1px solid var(--_line);
  }
  .cell:has(> pa-container) {
    padding: 0;
  }
  .divider {
    display: flex;
    align-items: center;
  }
  .divider hr {
    flex: 1;
    margin: 0;
    border: 0;
    border-block-start: 1px solid var(--_line);
  }
  .delayed {
    container-type: inline-size;
  }
  .outlines {
    grid-template-columns: repeat(4, minmax(0, 1fr));
    grid-template-rows: 152px;
    grid-auto-rows: 320px;
  }
  .outline:nth-child(n + 5) {
    grid-column: span 2;
  }
  @container (inline-size < 600px) {
    .outlines {
      grid-template-columns: repeat(2, minmax(0, 1fr));
      grid-template-rows: 120px 120px;
      gap: 12px;
    }
  }
  .outline {
    box-sizing: border-box;
    padding: var(--_padding);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .panel {
    display: grid;
    min-block-size: 240px;
    padding: var(--_padding);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .banner {
    position: sticky;
    inset-block-start: 8px;
    z-index: 1;
    min-block-size: 0;
    margin-block-end: 16px;
    border-color: var(--_control);
  }
  .banner .notice {
    flex-direction: row;
    flex-wrap: wrap;
    gap: 8px 16px;
    justify-content: start;
    text-align: start;
  }
  .banner .words {
    flex: 1;
    min-inline-size: 200px;
  }
  .banner button {
    margin: 0;
  }
  ::slotted([slot='header']) {
    margin-block-end: 16px;
  }
  .note {
    margin: 12px 0 0;
    color: var(--_muted);
    font-size: 12px;
  }
  /* Rows grow with their content, so that tables are not cut off; tiles with a fixed height keep it. */
  @media print {
    :host {
      padding: 0;
      print-color-adjust: exact;
    }
    .title {
      break-after: avoid;
    }
    .grid {
      grid-auto-rows: minmax(var(--_row-height, 30px), auto);
    }
    .cell {
      display: grid;
      break-inside: avoid;
    }
    .cell:has(> pa-container) {
      break-inside: auto;
    }
    .pane,
    .stack {
      block-size: auto;
    }
    .pane > .cell,
    .stack > .cell:not(.divider) {
      block-size: auto;
      min-block-size: 240px;
    }
    .stack.vertical > .cell {
      flex: none;
    }
    .banner,
    pa-controls {
      display: none;
    }
  }
`;
