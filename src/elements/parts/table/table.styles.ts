import { css } from 'lit';
import { rowHeight } from './row-window.js';

/** Styles of a table. */
export const tableStyles = css`
  :host {
    display: block;
  }
  .scroller {
    position: absolute;
    inset: 0;
    overflow: auto;
    scrollbar-width: thin;
    overscroll-behavior-x: contain;
    /* Rows are drawn anew in place: what the browser would hold on to is not the same row. */
    overflow-anchor: none;
  }
  .scroller:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  table {
    inline-size: 100%;
    /* A character of text is narrower than the digit that 1ch is. */
    min-inline-size: calc(var(--_characters) * 0.9ch + var(--_columns) * 20px);
    border-spacing: 0;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
    table-layout: fixed;
  }
  th,
  td {
    box-sizing: border-box;
    block-size: ${rowHeight}px;
    padding: 0 10px;
    overflow: hidden;
    text-align: start;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  th:first-child,
  td:first-child {
    padding-inline-start: 2px;
  }
  th:last-child,
  td:last-child {
    padding-inline-end: 2px;
  }
  th {
    position: sticky;
    inline-size: calc(var(--_characters) * 1ch + 20px);
    inset-block-start: 0;
    border-block-end: 1px solid var(--_line);
    background: var(--_surface);
    color: var(--_muted);
    font-weight: 500;
    font-size: 12px;
    line-height: 1.25;
    white-space: normal;
    vertical-align: bottom;
    padding-block: 4px 8px;
  }
  td {
    border-block-end: 1px solid color-mix(in srgb, var(--_line) 55%, transparent);
  }
  .end {
    text-align: end;
  }
  tbody tr:hover {
    background: color-mix(in srgb, var(--_text) 4%, transparent);
  }
  tr.room td {
    block-size: var(--_room);
    padding: 0;
    border: 0;
  }
  @media print {
    .scroller {
      position: static;
      overflow: visible;
    }
  }
`;
