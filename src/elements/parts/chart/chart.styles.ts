import { css, unsafeCSS } from 'lit';
import { seriesColors } from '../../../report/theme/palette.js';

/** Number of probe colors in addition to the series: muted and line. */
const others = 2;

/** Number of colors in the probe of a chart. */
export const probeColors = others + seriesColors.length;

const series = unsafeCSS(
  seriesColors
    .map((_, index) => `.probe :nth-child(${others + index + 1}) { color: var(--_series-${index + 1}); }`)
    .join('\n'),
);

/**
 * Styles of a chart. The hidden probe element has every color of the theme, so that the browser resolves them and
 * reports changes.
 */
export const chartStyles = css`
  :host {
    display: block;
  }
  /*
   * Drawings are left-to-right in every language; each text sets its own direction. When its tile gets narrower, a
   * chart is redrawn after a short delay. Until then, it must not make the page scroll sideways.
   */
  .chart {
    position: absolute;
    inset: 0;
    direction: ltr;
    overflow: clip;
    overflow-clip-margin: 16px;
  }
  .chart svg,
  .chart canvas {
    display: block;
    overflow: visible;
  }
  .chart svg text {
    unicode-bidi: plaintext;
  }
  .chart.brushable {
    cursor: crosshair;
    -webkit-user-select: none;
    user-select: none;
  }
  .chart.pointing {
    cursor: pointer;
  }
  .chart:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
    border-radius: var(--_control-radius);
  }
  /* Two outlines of opposite lightness are visible on marks of any color. */
  .ring {
    position: absolute;
    box-sizing: content-box;
    margin: -3px;
    padding: 3px;
    outline: 2px solid var(--_accent);
    outline-offset: -1px;
    box-shadow: inset 0 0 0 3px var(--_surface);
    border-radius: 3px;
    pointer-events: none;
  }
  .brush {
    position: absolute;
    box-sizing: border-box;
    border: 1px solid var(--_accent);
    border-radius: 2px;
    background: color-mix(in srgb, var(--_accent) 14%, transparent);
    pointer-events: none;
  }
  /* A 9 px dot around a box without size, with a surface-colored border. */
  .point {
    position: absolute;
    margin: -6.5px;
    padding: 4.5px;
    border: 2px solid var(--_surface);
    border-radius: 999px;
    background: var(--_text);
    pointer-events: none;
  }
  .ring[hidden] {
    display: none;
  }
  .probe,
  .probe i {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    visibility: hidden;
    pointer-events: none;
    transition: 1ms step-end;
    transition-property: color, background-color;
  }
  .probe {
    color: var(--_text);
    background: var(--_surface);
    font-family: var(--_font);
    transition-property: color, background-color, font-family;
    transition-behavior: allow-discrete;
  }
  .probe :nth-child(1) {
    color: var(--_muted);
  }
  .probe :nth-child(2) {
    color: var(--_line);
  }
  /* Series must remain distinguishable in forced colors. */
  .probe :nth-child(n + 3) {
    forced-color-adjust: none;
  }
  /* Paper is narrower than the screen, and the chart is not re-rendered for printing. */
  @media print {
    .chart :is(svg, canvas) {
      max-inline-size: 100%;
      max-block-size: 100%;
    }
    .chart svg {
      block-size: auto;
    }
  }
  ${series}
`;
