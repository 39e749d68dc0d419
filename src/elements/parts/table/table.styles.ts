import { css } from 'lit';
import { cellStyles } from './cell.styles.js';
import { rowHeight, tallRowHeight } from './grid-layout.js';

const frame = css`
  :host {
    --_shade: color-mix(in srgb, var(--_text) 14%, transparent);
    position: absolute;
    inset: 0;
    display: flex;
    flex-direction: column;
  }
  .box {
    position: relative;
    display: flex;
    flex: 1;
    min-block-size: 0;
  }
  .scroller {
    position: relative;
    flex: 1;
    min-inline-size: 0;
    overflow: auto;
    scrollbar-width: thin;
    overscroll-behavior-x: contain;
    /* Rows are re-rendered in place, so scroll anchoring would keep the wrong row in view. */
    overflow-anchor: none;
    scroll-padding-block-start: var(--_head, ${rowHeight}px);
    scroll-padding-inline-start: var(--_pinned, 0);
  }
  .probes {
    position: absolute;
    inline-size: 0;
    block-size: 0;
    overflow: hidden;
    visibility: hidden;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
    user-select: none;
  }
  .probes > span {
    display: block;
    inline-size: max-content;
  }
  .probes > .total {
    font-weight: 600;
  }
  .probes > .heading {
    font-weight: 500;
    font-size: 12px;
  }
  /* A shadow marks an edge beyond which there are more columns. */
  .edge {
    position: absolute;
    z-index: 4;
    inset-block: 0;
    inline-size: 14px;
    opacity: 0;
    transition: opacity 120ms;
    pointer-events: none;
  }
  .edge.before {
    inset-inline-start: var(--_pinned, 0);
    border-inline-start: 1px solid var(--_line);
    background: linear-gradient(to right, var(--_shade), transparent);
  }
  .edge.after {
    inset-inline-start: calc(var(--_width, 100%) - 14px);
    border-inline-end: 1px solid var(--_line);
    background: linear-gradient(to left, var(--_shade), transparent);
  }
  :host(:dir(rtl)) .edge.before {
    background: linear-gradient(to left, var(--_shade), transparent);
  }
  :host(:dir(rtl)) .edge.after {
    background: linear-gradient(to right, var(--_shade), transparent);
  }
  .box[data-before] .before,
  .box[data-after] .after {
    opacity: 1;
  }
  .groups {
    flex: none;
    align-self: start;
    box-sizing: border-box;
    max-inline-size: 100%;
    min-block-size: 32px;
    margin-block-end: 8px;
    padding-inline: 8px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    color: inherit;
    font: 500 13px/1 var(--_font);
  }
  .groups:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  @media (pointer: coarse) {
    .groups {
      min-block-size: 44px;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .edge {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    .edge.before {
      border-inline-start: 2px solid CanvasText;
    }
    .edge.after {
      border-inline-end: 2px solid CanvasText;
    }
  }
  table {
    --_row: ${rowHeight}px;
    inline-size: var(--_inline-size, 100%);
    border-spacing: 0;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
    table-layout: fixed;
    outline: none;
  }
  table.long.wraps {
    --_row: ${tallRowHeight}px;
  }
  .left-out,
  .note,
  .filters {
    margin: 4px 2px;
    color: var(--_muted);
    font-size: 12px;
  }
  .filters {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    max-block-size: 3lh;
    padding: 0;
    overflow: auto;
    list-style: none;
  }
`;

const cells = css`
  th,
  td {
    box-sizing: border-box;
    block-size: var(--_row);
    padding: 0 10px;
    overflow: clip;
    text-align: start;
    text-overflow: ellipsis;
    white-space: nowrap;
    background: var(--_surface);
  }
  th:first-child,
  td:first-child {
    padding-inline-start: 2px;
  }
  tbody th,
  tbody td {
    border-block-end: 1px solid color-mix(in srgb, var(--_line) 55%, var(--_surface));
  }
  tbody th {
    font-weight: 500;
  }
  .center {
    text-align: center;
  }
  .end {
    text-align: end;
  }
  tbody tr:hover > :not(.spacer) {
    background-color: color-mix(in srgb, var(--_text) 4%, var(--_surface));
  }
  tr.total > *,
  .total {
    font-weight: 600;
  }
  tr.total > * {
    border-block-start: 1px solid var(--_control);
  }
  tr.total + tr.total > * {
    border-block-start: 0;
  }
  tr.spacer td {
    block-size: var(--_spacer-size);
  }
  td.spacer {
    padding: 0;
    border: 0;
  }
  tr:not([data-top]):not(:first-child) .repeats {
    /* Repeated row headers are visible only once, but are announced in every row. */
    color: transparent;
    -webkit-user-select: none;
    user-select: none;
  }
  /* In a narrow box the first column is narrower, so that figures are in view next to it. */
  .whole.narrow tbody > tr > :first-child:not(.spacer, .one-line) {
    padding-block: 6px;
    line-height: 18px;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .wraps .wrap {
    padding-block: 6px;
    line-height: 18px;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .long.wraps .wrap {
    display: -webkit-box;
    max-block-size: 54px;
    padding: 0;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    line-clamp: 3;
  }
`;

const head = css`
  thead {
    position: sticky;
    z-index: 3;
    inset-block-start: 0;
  }
  thead th,
  thead td {
    position: relative;
    block-size: ${rowHeight}px;
    padding: 0;
    border-block-end: 1px solid var(--_line);
    color: var(--_muted);
    font-weight: 500;
    font-size: 12px;
    line-height: 1.25;
    vertical-align: bottom;
  }
  thead th:first-child {
    padding-inline-start: 0;
  }
  thead .span:first-child {
    padding-inline-start: 2px;
  }
  thead tr:not(:last-child) > * {
    vertical-align: middle;
    border-block-end-color: color-mix(in srgb, var(--_line) 55%, var(--_surface));
  }
  thead .span {
    padding-inline: 10px;
  }
  .span.value,
  .span.total {
    border-inline-start: 1px solid color-mix(in srgb, var(--_line) 55%, var(--_surface));
  }
  .span .name {
    position: sticky;
    display: inline-block;
    max-inline-size: 100%;
    overflow: hidden;
    inset-inline: calc(var(--_pinned, 0px) + 10px) 10px;
    text-overflow: ellipsis;
    white-space: normal;
    overflow-wrap: anywhere;
    hyphens: auto;
    vertical-align: middle;
  }
  .one-line .span .name {
    white-space: nowrap;
  }
  .sort {
    box-sizing: border-box;
    position: relative;
    display: block;
    inline-size: 100%;
    min-block-size: 31px;
    margin: 0;
    padding: 4px 10px 8px;
    overflow: hidden;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    text-align: inherit;
    text-overflow: ellipsis;
    white-space: normal;
    overflow-wrap: anywhere;
    hyphens: auto;
    cursor: pointer;
  }
  th:first-child .sort {
    padding-inline-start: 2px;
  }
  .one-line .sort {
    white-space: nowrap;
  }
  .sort:hover,
  .ascending,
  .descending {
    color: var(--_text);
  }
  .rank {
    margin-inline-start: 4px;
    font-size: 10px;
    vertical-align: super;
  }
  .arrow {
    position: absolute;
    inset-block-end: 9px;
    inset-inline-end: 0;
    inline-size: 10px;
    opacity: 0;
    transition: opacity 120ms;
  }
  .sort:hover .arrow,
  .active .arrow {
    opacity: 0.5;
  }
  .ascending .arrow,
  .descending .arrow,
  .ascending:hover .arrow,
  .descending:hover .arrow {
    opacity: 1;
  }
  .descending .arrow {
    transform: scaleY(-1);
  }
  .handle {
    position: absolute;
    z-index: 1;
    inset-block: 0;
    inset-inline-end: 0;
    inline-size: 8px;
    cursor: col-resize;
    touch-action: none;
  }
  .handle::after {
    position: absolute;
    inset-block: 6px;
    inset-inline-end: 0;
    inline-size: 2px;
    content: '';
  }
  .handle:hover::after {
    background: var(--_control);
  }
  .handle:focus {
    outline: none;
  }
  .handle:focus::after,
  .handle:active::after {
    inset-block: 0;
    background: var(--_accent);
  }
  @media (pointer: coarse) {
    .sort {
      min-block-size: 44px;
    }
    .handle {
      inline-size: 20px;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .arrow {
      transition: none;
    }
  }
`;

const printed = css`
  @media print {
    :host {
      position: static;
      display: block;
    }
    .box {
      display: block;
    }
    .scroller {
      overflow: visible;
    }
    .edge,
    .groups,
    .probes {
      display: none;
    }
    .filters {
      max-block-size: none;
    }
    table {
      inline-size: 100%;
      table-layout: auto;
    }
    thead {
      position: static;
      display: table-header-group;
    }
    tr {
      break-inside: avoid;
    }
    th,
    td,
    .wraps .wrap {
      overflow: visible;
      white-space: normal;
      overflow-wrap: anywhere;
    }
    td,
    thead .span,
    .sort {
      padding-inline: 6px;
    }
    /* A figure must not wrap: on two lines, it would look like two figures. */
    td.end {
      overflow-wrap: normal;
    }
    tbody :is(th, td):first-child {
      min-inline-size: 11ch;
    }
    .pin,
    thead .pin {
      position: static;
    }
    table .active {
      outline: none;
    }
    .arrow,
    .handle {
      display: none;
    }
    .ascending .arrow,
    .descending .arrow {
      display: block;
    }
    .repeats {
      color: inherit;
    }
  }
`;

/** Styles of a table. */
export const tableStyles = [frame, cells, head, ...cellStyles, printed];
