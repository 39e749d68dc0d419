import { css } from 'lit';

/** Styles of a drawing of marks, and of the tooltip above it. */
export const marksStyles = css`
  :host {
    display: block;
  }
  /* Drawings are left-to-right in every language; each text sets its own direction. */
  .drawing {
    position: absolute;
    inset: 0;
    overflow: clip;
    /* Marks at the edge may overflow into the padding of the tile. */
    overflow-clip-margin: var(--_padding);
    direction: ltr;
  }
  .drawing svg {
    display: block;
    inline-size: 100%;
    block-size: 100%;
    overflow: visible;
    background: var(--_surface);
    font: 400 12px var(--_font);
  }
  .drawing text {
    fill: var(--_muted);
    unicode-bidi: isolate;
    pointer-events: none;
  }
  .mark {
    cursor: default;
    transition: opacity 120ms;
  }
  .mark.choosable {
    cursor: pointer;
  }
  .mark.faded {
    opacity: 0.3;
  }
  .mark:focus {
    outline: none;
  }
  .mark:focus-visible {
    stroke: var(--_accent);
    stroke-width: 2.5px;
    stroke-opacity: 1;
  }
  .note {
    position: absolute;
    inset-block-end: 0;
    inset-inline-end: 0;
    max-inline-size: 100%;
    pointer-events: auto;
  }
  :host(:dir(rtl)) .note {
    inset-inline: 0 auto;
    direction: rtl;
  }
  @media (prefers-reduced-motion: reduce) {
    .mark {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    .drawing svg {
      forced-color-adjust: none;
    }
    .drawing text {
      fill: CanvasText;
    }
    .mark:focus-visible {
      stroke: Highlight;
    }
  }
`;
