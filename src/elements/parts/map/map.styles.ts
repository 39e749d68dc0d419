import { css } from 'lit';

/** Styles of a map: shades of the first series from the least to the most, towards the second below zero. */
export const mapStyles = css`
  .ground,
  .region {
    fill: color-mix(in srgb, var(--_text) 8%, var(--_surface));
  }
  .ground,
  .borders,
  .region {
    stroke: var(--_surface);
    stroke-width: 0.75px;
    stroke-linejoin: round;
    vector-effect: non-scaling-stroke;
  }
  .borders {
    fill: none;
    pointer-events: none;
  }
  .point {
    fill: var(--_series-1);
    fill-opacity: 0.8;
    /* However light its step is, a point is seen. */
    stroke: var(--_series-1);
    stroke-width: 1px;
  }
  .swatch {
    pointer-events: none;
  }
  .step-0 {
    fill: color-mix(in srgb, var(--_series-1) 22%, var(--_surface));
  }
  .step-1 {
    fill: color-mix(in srgb, var(--_series-1) 41%, var(--_surface));
  }
  .step-2 {
    fill: color-mix(in srgb, var(--_series-1) 60%, var(--_surface));
  }
  .step-3 {
    fill: color-mix(in srgb, var(--_series-1) 80%, var(--_surface));
  }
  .step-4 {
    fill: var(--_series-1);
  }
  .diverging .step-0 {
    fill: var(--_series-2);
  }
  .diverging .step-1 {
    fill: color-mix(in srgb, var(--_series-2) 50%, var(--_surface));
  }
  .diverging .step-2 {
    fill: color-mix(in srgb, var(--_muted) 35%, var(--_surface));
  }
  .diverging .point.step-0,
  .diverging .point.step-1 {
    stroke: var(--_series-2);
  }
  .diverging .step-3 {
    fill: color-mix(in srgb, var(--_series-1) 50%, var(--_surface));
  }
`;
