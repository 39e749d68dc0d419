import { css } from 'lit';

/** Styles of the tools, controls and widgets of a dashboard, which load with their code. */
export const boardStyles = css`
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
