import { css } from 'lit';

/** Styles of flows: places in the colours of series where there are few, else muted. */
export const sankeyStyles = css`
  .node {
    fill: color-mix(in srgb, var(--_muted) 75%, var(--_surface));
  }
  .link {
    fill: none;
    stroke: var(--_muted);
    stroke-opacity: 0.22;
  }
  .link:hover {
    stroke-opacity: 0.45;
  }
  .drawing .label {
    fill: var(--_text);
    paint-order: stroke;
    stroke: var(--_surface);
    stroke-width: 3px;
    stroke-linejoin: round;
  }
  .node.series-1 {
    fill: var(--_series-1);
  }
  .node.series-2 {
    fill: var(--_series-2);
  }
  .node.series-3 {
    fill: var(--_series-3);
  }
  .node.series-4 {
    fill: var(--_series-4);
  }
  .node.series-5 {
    fill: var(--_series-5);
  }
  .node.series-6 {
    fill: var(--_series-6);
  }
  .link.series-1 {
    stroke: var(--_series-1);
  }
  .link.series-2 {
    stroke: var(--_series-2);
  }
  .link.series-3 {
    stroke: var(--_series-3);
  }
  .link.series-4 {
    stroke: var(--_series-4);
  }
  .link.series-5 {
    stroke: var(--_series-5);
  }
  .link.series-6 {
    stroke: var(--_series-6);
  }
  .link.mark:focus-visible {
    stroke: var(--_accent);
    stroke-opacity: 0.7;
    stroke-width: inherit;
  }
  .empty {
    position: absolute;
    inset: 0;
    overflow: auto;
  }
`;
